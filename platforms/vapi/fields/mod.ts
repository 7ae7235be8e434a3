import type { CreateAssistantDTO, CreateSquadDTO } from "../generated/mod.ts";

/** Fields of a Vapi assistant, with the types that Vapi publishes. */
export type VapiNodeFields = Partial<CreateAssistantDTO>;
/** Fields of a Vapi squad, with the types that Vapi publishes. */
export type VapiFlowFields = Partial<CreateSquadDTO>;

/** What flows and nodes can set for Vapi. */
export interface VapiFields {
  readonly flow: VapiFlowFields;
  readonly node: VapiNodeFields;
  readonly voice: NonNullable<CreateAssistantDTO["voice"]>;
}
