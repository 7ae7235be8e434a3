import * as v from "valibot";
import { withoutLists } from "../graph/mod.ts";
import { type NumberKind, needsOf } from "./kind.ts";
import { type Setting, type Settings, settingKey, valueKindOf } from "./setting.ts";

/** One text or a list of texts. */
export const TEXTS = v.union([v.string(), v.array(v.string())]);

/** The schema of a document of settings: an object with a value by setting, in which `_` stands for `-`. */
export function settingsSchema(settings: Settings) {
  const entries = Object.entries(settings).map(
    ([name, setting]) => [settingKey(name), settingSchema(setting)] as const,
  );
  return withoutLists(v.strictObject(Object.fromEntries(entries.map(([key, schema]) => [key, v.optional(schema)]))));
}

function settingSchema(setting: Setting) {
  return v.pipe(valueSchema(setting), v.description(setting.description));
}

function valueSchema(setting: Setting) {
  const kind = valueKindOf(setting);
  switch (kind.type) {
    case "switch":
      return v.boolean();
    case "choice":
      return v.picklist(kind.choices);
    case "number":
      return kind.or === undefined ? numberSchema(kind) : v.union([numberSchema(kind), v.literal(kind.or)]);
    case "text":
      return setting.repeats ? TEXTS : v.string();
  }
}

/** A number within its bounds; the message of an issue says what it has to be. */
function numberSchema(kind: NumberKind) {
  const needs = needsOf(kind);
  const { from, above, to, whole } = kind;
  return v.pipe(
    v.number(),
    whole ? v.integer<number, string>(needs) : v.finite<number, string>(needs),
    ...(from === undefined ? [] : [v.minValue<number, number, string>(from, needs)]),
    ...(above === undefined ? [] : [v.gtValue<number, number, string>(above, needs)]),
    ...(to === undefined ? [] : [v.maxValue<number, number, string>(to, needs)]),
  );
}
