import { isRecord, type JsonObject, own } from "../src/base/values/mod.ts";

import type { PlatformName } from "./generated/mod.ts";

type Accepts = (value: unknown) => boolean;

const text: Accepts = (value) => typeof value === "string";
const number: Accepts = (value) => typeof value === "number";
const boolean: Accepts = (value) => typeof value === "boolean";
const texts: Accepts = (value) => Array.isArray(value) && value.every(text);
const only =
  (shape: { readonly [key: string]: Accepts }): Accepts =>
  (value) =>
    isRecord(value) && Object.entries(value).every(([key, item]) => own(shape, key)?.(item) ?? false);
const place = only({ x: number, y: number });

/** Selects fields of imported documents that have the types that the platforms publish, so that code can set them as options. */
const TYPED: {
  readonly [Platform in PlatformName]?: { readonly [place: string]: { readonly [field: string]: Accepts } };
} = {
  retell: {
    flow: {
      model_temperature: number,
      begin_after_user_silence_ms: number,
      knowledge_base_ids: texts,
      tool_call_strict_mode: boolean,
      is_transfer_cf: boolean,
      flex_mode: boolean,
    },
    node: {
      name: text,
      display_position: (value) => place(value) && isRecord(value) && "x" in value && "y" in value,
      interruption_sensitivity: number,
      speak_during_execution: boolean,
      wait_for_result: boolean,
      tool_type: (value) => value === "local" || value === "shared",
      knowledge_base_ids: texts,
      enable_typing_sound: boolean,
    },
  },
};

/** The fields of a platform that its options accept; for transitions and tools, for which there are no types, all. */
export function typedFields(platform: string, at: "flow" | "node" | "edge" | "tool", fields: unknown): JsonObject {
  if (!isRecord(fields)) return {};
  if (at === "edge" || at === "tool") return fields;
  const shape = own(own(TYPED, platform) ?? {}, at) ?? {};
  return Object.fromEntries(Object.entries(fields).filter(([key, value]) => own(shape, key)?.(value) ?? false));
}
