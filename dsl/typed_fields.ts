import { groupOf, isRecord, type JsonObject, OPTION, type OptionRule, own, recordOf } from "../src/base/values/mod.ts";
import {
  type FieldKinds,
  PLATFORM_DATA,
  PLATFORM_NAMES,
  type PlatformData,
  type PlatformName,
} from "../src/document/platforms/mod.ts";
import type { FieldsByPlatform } from "./generated/mod.ts";

const isNumber = (value: unknown) => typeof value === "number";
const isText = (value: unknown) => typeof value === "string";

function hasKind(value: unknown, kind: FieldKinds[string]): boolean {
  switch (kind) {
    case "text":
      return isText(value);
    case "number":
      return isNumber(value);
    case "boolean":
      return typeof value === "boolean";
    case "texts":
      return Array.isArray(value) && value.every(isText);
    case "point":
      return isRecord(value) && Object.keys(value).length === 2 && isNumber(value.x) && isNumber(value.y);
    default:
      return kind.some((text) => text === value);
  }
}

/**
 * The fields of an imported document that have the types that the platform publishes, so that code can set them as
 * options; for transitions and tools, for which there are no types, all.
 */
export function typedFields(platform: string, at: "flow" | "node" | "edge" | "tool", fields: unknown): JsonObject {
  if (!isRecord(fields)) return {};
  if (at === "edge" || at === "tool") return fields;
  const kinds = own<PlatformData>(PLATFORM_DATA, platform)?.keys.typed[at] ?? {};
  return Object.fromEntries(
    Object.entries(fields).filter(([key, value]) => {
      const kind = own(kinds, key);
      return kind !== undefined && hasKind(value, kind);
    }),
  );
}

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
