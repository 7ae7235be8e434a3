import type { Vapi } from "@vapi-ai/server-sdk";
import type { AgentCreateParams } from "retell-sdk/resources/agent";
import type { ConversationFlowCreateParams } from "retell-sdk/resources/conversation-flow";

type RetellNode = ConversationFlowCreateParams["nodes"][number];
type PartialOfEach<Shape> = Shape extends unknown ? Partial<Shape> : never;

/** Fields of a Retell node, as its SDK has them. */
export type RetellNodeFields = PartialOfEach<RetellNode>;
/** Fields of a Retell conversation flow, as its SDK has them; `agent`: those of the agent around it, such as its voice. */
export type RetellFlowFields = Partial<ConversationFlowCreateParams> & { readonly agent?: Partial<AgentCreateParams> };
/** Fields of a Vapi assistant, as its SDK has them. */
export type VapiNodeFields = Partial<Vapi.CreateAssistantDto>;
/** Fields of a Vapi squad, as its SDK has them. */
export type VapiFlowFields = Partial<Vapi.CreateSquadDto>;

/** The agent's voice on each platform: ids of voices differ from platform to platform. */
export interface FlowVoice {
  /** Retell's voice id, such as `11labs-Adrian`. */
  readonly retell?: string;
  /** Vapi's provider and voice, such as `{ provider: "11labs", voiceId: "sarah" }`. */
  readonly vapi?: NonNullable<Vapi.CreateAssistantDto["voice"]>;
}
