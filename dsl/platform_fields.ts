import type { AgentCreateParams, ConversationFlowCreateParams } from "../platforms/retell/generated/mod.ts";
import type { CreateAssistantDTO, CreateSquadDTO } from "../platforms/vapi/generated/mod.ts";
import { groupOf, OPTION, type OptionRule, recordOf } from "../src/base/values/mod.ts";
import { PLATFORM_NAMES, type PlatformName, VOICE_KINDS } from "./generated/mod.ts";

/** A node of a conversation flow, with the type that Retell publishes. */
export type RetellNode = ConversationFlowCreateParams["nodes"][number];
/** Each member of a union with all keys optional. */
export type PartialOfEach<Shape> = Shape extends unknown ? Partial<Shape> : never;
/** Fields of a transition or tool, for which there are no types. */
export type AnyFields = { readonly [field: string]: unknown };

/** Fields of a Retell node, with the types that Retell publishes. */
export type RetellNodeFields = PartialOfEach<RetellNode>;
/**
 * Fields of a Retell conversation flow, with the types that Retell publishes. `agent` has those of the agent around it, such as its
 * voice.
 */
export type RetellFlowFields = Partial<ConversationFlowCreateParams> & { readonly agent?: Partial<AgentCreateParams> };
/** Fields of a Vapi assistant, with the types that Vapi publishes. */
export type VapiNodeFields = Partial<CreateAssistantDTO>;
/** Fields of a Vapi squad, with the types that Vapi publishes. */
export type VapiFlowFields = Partial<CreateSquadDTO>;

/** Settings that Callweave's own commands read. */
export interface CallweaveFields {
  /** Suppressed findings of `check`: the reason by the finding's code. */
  readonly suppress?: { readonly [code: string]: string };
}

/** Platform settings by where they are set. */
export interface FieldsOf<Flow, Node> {
  readonly flow: Flow;
  readonly node: Node;
  readonly edge: AnyFields;
  readonly tool: AnyFields;
}

/** Fields with types, for platforms that publish a document of what they accept. Those of other platforms can be anything. */
export interface TypedFields {
  readonly callweave: FieldsOf<CallweaveFields, CallweaveFields>;
  readonly retell: FieldsOf<RetellFlowFields, RetellNodeFields>;
  readonly vapi: FieldsOf<VapiFlowFields, VapiNodeFields>;
}

/** Options of flows, nodes, transitions and tools for each platform of the formats. */
export type PlatformFields = TypedFields & {
  readonly [Platform in Exclude<PlatformName, keyof TypedFields>]: FieldsOf<AnyFields, AnyFields>;
};

/**
 * A platform's own fields of a flow, node, transition or tool: `retell: { … }`, `vapi: { … }`. They are stored
 * under `metadata.<platform>` (of a flow: `source_metadata.<platform>`) and emitted for that platform only.
 */
export type PlatformOptions<Place extends "flow" | "node" | "edge" | "tool"> = {
  readonly [Platform in keyof PlatformFields]?: PlatformFields[Platform][Place];
};

/** {@link PlatformOptions} without type checks. */
export type LoosePlatformOptions = { readonly [Platform in keyof PlatformFields]?: unknown };

/** Rules that validate {@link PlatformOptions}. */
export const PLATFORM_OPTIONS = {
  callweave: groupOf({ suppress: recordOf(OPTION.text, "an object with a reason by each code") }),
  // fromEntries() does not keep the names of the keys
  ...(Object.fromEntries(PLATFORM_NAMES.map((name) => [name, OPTION.object])) as Record<PlatformName, OptionRule>),
};

/** Rules that validate {@link FlowVoice}. */
export const VOICE_RULES = Object.fromEntries(
  PLATFORM_NAMES.map((name) => [name, VOICE_KINDS[name] === "text" ? OPTION.text : OPTION.object]),
) as Record<PlatformName, OptionRule>; // fromEntries() does not keep the names of the keys

/** Returns the platform fields of options, by platform. */
export function platformFields(options: LoosePlatformOptions): { readonly [platform: string]: unknown } {
  return Object.fromEntries(
    Object.entries(options).filter(([key, value]) => Object.hasOwn(PLATFORM_OPTIONS, key) && value !== undefined),
  );
}

/** The agent's voice per platform, because voice ids differ. */
export type FlowVoice = {
  /** Retell's voice id, such as `11labs-Adrian`. */
  readonly retell?: string;
  /** Vapi's provider and voice, such as `{ provider: "11labs", voiceId: "sarah" }`. */
  readonly vapi?: NonNullable<CreateAssistantDTO["voice"]>;
} & { readonly [Platform in Exclude<PlatformName, "retell" | "vapi">]?: unknown };
