import * as v from "valibot";
import { type Issue, throwIssues, UsageError } from "../../base/errors.ts";
import { didYouMean, isRecord } from "../../base/values/mod.ts";
import { withoutLists } from "../graph/mod.ts";
import { type NumberKind, needsOf, type ValueKind } from "./kind.ts";
import { RUN_SETTINGS, type Setting, type Settings, settingKey, valueKindOf } from "./run_settings.ts";

/** The key of a setting in a document: `max_turns` of `max-turns`. */
export type SettingKey<Name extends string> = Name extends `${infer Head}-${infer Rest}`
  ? `${Head}_${SettingKey<Rest>}`
  : Name;

/** A document of settings: a value for each that is set. */
export type SettingsDocument<All extends Settings> = {
  readonly [Name in keyof All & string as SettingKey<Name>]?: ValueOf<All[Name]>;
};

type ValueOf<One extends Setting> = One extends { readonly kind: infer Kind extends ValueKind }
  ? ValueOfKind<Kind>
  : One extends { readonly value: string }
    ? string
    : boolean;

type ValueOfKind<Kind extends ValueKind> = Kind extends { readonly type: "choice"; readonly choices: infer Choices }
  ? Choices extends readonly (infer Choice)[]
    ? Choice
    : never
  : Kind extends { readonly type: "number" }
    ? number | (Kind extends { readonly or: infer Word extends string } ? Word : never)
    : Kind extends { readonly type: "switch" }
      ? boolean
      : string;

/**
 * The settings of a run as a JSON document: `{ "model": "openai/gpt-5-mini", "repeat": 3 }`. Flags, a configuration and
 * the body of a request are read into one, and a run's options are made of it.
 */
export type RunSettings = SettingsDocument<typeof RUN_SETTINGS>;

/** One text or a list of texts. */
export const TEXTS = v.union([v.string(), v.array(v.string())]);

/** The schema of {@link RunSettings}. */
export const RUN_SETTINGS_SCHEMA: ReturnType<typeof settingsSchema> = settingsSchema(RUN_SETTINGS);

const KEYS = Object.keys(RUN_SETTINGS).map(settingKey);

/**
 * Reads settings from a JSON value.
 *
 * @throws {UsageError} `invalid-option`; `issues` lists every setting that is wrong.
 */
export function parseRunSettings(value: unknown): RunSettings {
  const issues = (v.safeParse(RUN_SETTINGS_SCHEMA, value).issues ?? []).map(issueOf);
  throwIssues(UsageError, "Cannot read the settings of a run", issues);
  return isSettings(value) ? value : {};
}

function isSettings(value: unknown): value is RunSettings {
  return isRecord(value) && v.is(RUN_SETTINGS_SCHEMA, value);
}

function issueOf({ path: keys, received, expected, message, kind }: v.BaseIssue<unknown>): Issue {
  const path = (keys ?? []).map(({ key }) => String(key));
  const place = path.join(".");
  if (path.length === 0)
    return { code: "invalid-option", path, message: "they are not an object", hint: `Pass some of ${KEYS.join(", ")}` };
  if (expected === "never") {
    const hint = didYouMean(place, KEYS, `Use some of ${KEYS.join(", ")}`);
    return { code: "invalid-option", path, message: `the setting "${place}" is unknown`, hint };
  }
  const needs = kind === "validation" ? message : expected;
  return { code: "invalid-option", path, message: `"${place}" is ${received}`, hint: `Pass ${needs}` };
}

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
