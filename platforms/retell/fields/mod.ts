import type { AgentCreateParams, ConversationFlowCreateParams } from "../generated/mod.ts";

/** A node of a conversation flow, with the type that Retell publishes. */
export type RetellNode = ConversationFlowCreateParams["nodes"][number];
/** Each member of a union with all keys optional. */
export type PartialOfEach<Shape> = Shape extends unknown ? Partial<Shape> : never;

/** Fields of a Retell node, with the types that Retell publishes. */
export type RetellNodeFields = PartialOfEach<RetellNode>;
/**
 * Fields of a Retell conversation flow, with the types that Retell publishes. `agent` has those of the agent around it, such as its
 * voice.
 */
export type RetellFlowFields = Partial<ConversationFlowCreateParams> & { readonly agent?: Partial<AgentCreateParams> };

/** What flows and nodes can set for Retell. */
export interface RetellFields {
  readonly flow: RetellFlowFields;
  readonly node: RetellNodeFields;
  readonly voice: string;
}
