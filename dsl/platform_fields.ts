import type { Vapi } from "@vapi-ai/server-sdk";
import type { AgentCreateParams } from "retell-sdk/resources/agent";
import type { ConversationFlowCreateParams } from "retell-sdk/resources/conversation-flow";
import { OPTION, type OptionRule } from "../src/values/mod.ts";

/** A node of a conversation flow, as the SDK of Retell types it. */
export type RetellNode = ConversationFlowCreateParams["nodes"][number];
/** Each member of a union, with all of its keys optional. */
export type PartialOfEach<Shape> = Shape extends unknown ? Partial<Shape> : never;
/** Fields of an edge or a tool, where the SDKs have no type for them. */
export type AnyFields = { readonly [field: string]: unknown };

/** Fields of a Retell node, as its SDK has them. */
export type RetellNodeFields = PartialOfEach<RetellNode>;
/** Fields of a Retell conversation flow, as its SDK has them; `agent`: those of the agent around it, such as its voice. */
export type RetellFlowFields = Partial<ConversationFlowCreateParams> & { readonly agent?: Partial<AgentCreateParams> };
/** Fields of a Vapi assistant, as its SDK has them. */
export type VapiNodeFields = Partial<Vapi.CreateAssistantDto>;
/** Fields of a Vapi squad, as its SDK has them. */
export type VapiFlowFields = Partial<Vapi.CreateSquadDto>;

/** What a flow in code can set for one platform alone, by where it is set. */
export interface FieldsOf<Flow, Node> {
  readonly flow: Flow;
  readonly node: Node;
  readonly edge: AnyFields;
  readonly tool: AnyFields;
}

/** The platforms that flows, nodes, edges and tools have options for: one line each, here and in {@link PLATFORM_OPTIONS}. */
export interface PlatformFields {
  readonly retell: FieldsOf<RetellFlowFields, RetellNodeFields>;
  readonly vapi: FieldsOf<VapiFlowFields, VapiNodeFields>;
}

/**
 * Each platform's own fields of a flow, a node, an edge or a tool: `retell: { … }`, `vapi: { … }`. They are kept under
 * `metadata.<platform>`, of a flow under `source_metadata.<platform>`, and emitted for that platform alone.
 */
export type PlatformOptions<Place extends "flow" | "node" | "edge" | "tool"> = {
  readonly [Platform in keyof PlatformFields]?: PlatformFields[Platform][Place];
};

/** The same options as plain JavaScript passes them. */
export type LoosePlatformOptions = { readonly [Platform in keyof PlatformFields]?: unknown };

/** What may be passed for {@link PlatformOptions}. */
export const PLATFORM_OPTIONS: { readonly [Platform in keyof PlatformFields]: OptionRule } = {
  retell: OPTION.object,
  vapi: OPTION.object,
};

/** The platforms' fields among options, by platform. */
export function platformFields(options: LoosePlatformOptions): { readonly [platform: string]: unknown } {
  return Object.fromEntries(
    Object.entries(options).filter(([key, value]) => Object.hasOwn(PLATFORM_OPTIONS, key) && value !== undefined),
  );
}

/** The agent's voice on each platform: ids of voices differ from platform to platform. */
export interface FlowVoice {
  /** Retell's voice id, such as `11labs-Adrian`. */
  readonly retell?: string;
  /** Vapi's provider and voice, such as `{ provider: "11labs", voiceId: "sarah" }`. */
  readonly vapi?: NonNullable<Vapi.CreateAssistantDto["voice"]>;
}
