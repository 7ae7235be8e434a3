import { groupOf, OPTION, type OptionRule, recordOf } from "../src/base/values/mod.ts";
import { PLATFORM_DATA, PLATFORM_NAMES, type PlatformName } from "../src/document/platforms/mod.ts";
import type { FieldsByPlatform } from "./generated/mod.ts";

/** Fields of a transition or tool, for which there are no types. */
export type AnyFields = { readonly [field: string]: unknown };

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

/** Options of flows, nodes, transitions and tools for each platform of the formats, and for Callweave. */
export type PlatformFields = {
  readonly [Platform in PlatformName]: FieldsOf<FieldsByPlatform[Platform]["flow"], FieldsByPlatform[Platform]["node"]>;
} & { readonly callweave: FieldsOf<CallweaveFields, CallweaveFields> };

/** A flow's own settings by platform. */
export type FlowSettings = { readonly [Platform in PlatformName]?: FieldsByPlatform[Platform]["flow"] };

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

/** Rules that validate a flow's voice. */
export const VOICE_RULES = Object.fromEntries(
  PLATFORM_NAMES.map((name) => [name, PLATFORM_DATA[name].voiceKind === "text" ? OPTION.text : OPTION.object]),
) as Record<PlatformName, OptionRule>; // fromEntries() does not keep the names of the keys

/** Returns the platform fields of options, by platform. */
export function platformFields(options: LoosePlatformOptions): { readonly [platform: string]: unknown } {
  return Object.fromEntries(
    Object.entries(options).filter(([key, value]) => Object.hasOwn(PLATFORM_OPTIONS, key) && value !== undefined),
  );
}
