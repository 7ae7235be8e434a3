import type { Path } from "../../../src/base/errors.ts";
import {
  defined,
  isRecord,
  type JsonObject,
  nearLanguage,
  omit,
  own,
  quotedList,
} from "../../../src/base/values/mod.ts";
import { correct, type Fault, named, refuse, refuseKey, refuseWithout, someOf } from "./faults.ts";
import { choicesAt, keysOf, resolved, type Schema, schemaNamed } from "./schema.ts";

/**
 * Converts a value to one that Vapi accepts: clamps numbers, truncates texts, corrects similar choices, and removes
 * unknown keys and everything else that is not allowed.
 *
 * @param at Path of the value in the graph.
 * @param faults Receives an entry per change.
 * @returns `undefined` when no part of the value is allowed.
 */
export function fitValue(schema: Schema, value: unknown, at: Path, faults: Fault[]): unknown {
  if (schema.$ref === "JsonSchema") return fitJsonSchema(value, at, faults);
  if (schema.$ref !== undefined) return fitValue(schemaNamed(schema.$ref), value, at, faults);
  if (schema.whole) return fitWhole({ ...schema, whole: false }, value, at, faults);
  if (schema.anyOf) return fitAny(schema.anyOf, value, at, faults);
  if (schema.kinds !== undefined) return fitKind(schema, value, at, faults);
  if (schema.enum) return choose(schema.enum, value, at, faults);
  if (schema.type === undefined) return value;
  if (!hasType(schema.type, value)) return refuse(value, at, WANTED[schema.type], faults);
  if (typeof value === "string") return fitText(schema, value, at, faults);
  if (typeof value === "number") return fitNumber(schema, value, at, faults);
  if (Array.isArray(value)) return fitItems(schema.items ?? {}, value, at, faults);
  if (!isRecord(value)) return value;
  if (schema.additionalProperties) return fitValues(schema.additionalProperties, value, at, faults);
  return schema.properties ? fitObject(schema, value, at, faults) : value;
}

type Type = NonNullable<Schema["type"]>;
const WANTED: { readonly [type in Type]: string } = {
  string: "a text",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
};

/** Whether a value has a type of JSON Schema. */
export function hasType(type: Type, value: unknown): boolean {
  if (type === "array") return Array.isArray(value);
  return type === "object" ? isRecord(value) : typeof value === type;
}

function fitText(schema: Schema, value: string, at: Path, faults: Fault[]): string | undefined {
  const { minLength: least = 0, maxLength: most = Number.POSITIVE_INFINITY, pattern, wanted } = schema;
  if (pattern !== undefined && !(new RegExp(pattern, "u").test(value) && value.length >= least && value.length <= most))
    return refuse(value, at, wanted ?? `a text that matches ${pattern}`, faults);
  if (value.length < least) return refuse(value, at, `a text of at least ${least} characters`, faults);
  if (value.length <= most) return value;
  correct(at, `the ${value.length} characters of "${named(at)}"`, `its first ${most} characters`, faults);
  return value.slice(0, most);
}

function fitNumber(schema: Schema, value: number, at: Path, faults: Fault[]): number {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
  const nearest = Math.min(maximum, Math.max(minimum, value));
  if (nearest !== value) correct(at, `${value} for "${named(at)}"`, `${nearest}, the nearest allowed value`, faults);
  return nearest;
}

function fitItems(schema: Schema, items: readonly unknown[], at: Path, faults: Fault[]): unknown[] {
  return items.flatMap((item, index) => {
    const fitted = fitValue(schema, item, [...at, index], faults);
    return fitted === undefined ? [] : [fitted];
  });
}

function fitValues(schema: Schema, value: JsonObject, at: Path, faults: Fault[]): JsonObject {
  const entries = Object.entries(value).map(
    ([key, item]) => [key, fitValue(schema, item, [...at, key], faults)] as const,
  );
  return Object.fromEntries(entries.filter(([, fitted]) => fitted !== undefined));
}

function fitObject(schema: Schema, value: JsonObject, at: Path, faults: Fault[]): JsonObject | undefined {
  const { properties = {}, required = [] } = schema;
  const kept = Object.entries(value).flatMap(([key, item]): [string, unknown][] => {
    if (item === null || item === undefined) return [];
    const known = own(properties, key);
    const place = [...at, key];
    const fitted = known ? fitValue(known, item, place, faults) : refuseKey(place, Object.keys(properties), faults);
    return fitted === undefined ? [] : [[key, fitted]];
  });
  const missing = required.filter((key) => !kept.some(([name]) => name === key));
  return missing.length > 0 ? refuseWithout(at, missing, faults) : Object.fromEntries(kept);
}

/** Fits an object to the schema of its kind. An object of an unknown kind is removed. */
function fitKind(schema: Schema, value: unknown, at: Path, faults: Fault[]): unknown {
  const { kinds: key = "", of = {}, else: other } = schema;
  if (!isRecord(value)) return refuse(value, at, "an object", faults);
  const known = own(of, String(value[key]));
  if (other !== undefined && known === undefined) return fitValue({ $ref: other }, value, at, faults);
  const kind = chooseKind(Object.keys(of), value[key], [...at, key], faults);
  if (kind === undefined) return undefined;
  const member = resolved({ $ref: own(of, kind) });
  const rest = {
    ...member,
    properties: omit(member.properties ?? {}, [key]) as Schema["properties"], // omit() says nothing of values
    required: member.required?.filter((each) => each !== key),
  };
  const fitted = fitValue(rest, omit(value, [key]), at, faults);
  return isRecord(fitted) ? { [key]: kind, ...fitted } : undefined;
}

/** Fits a value to the alternative that accepts it, or to the one of its type with the fewest changes. */
function fitAny(alternatives: readonly Schema[], value: unknown, at: Path, faults: Fault[]): unknown {
  const tries = alternatives
    .filter((each) => hasType(typeOf(each), value))
    .map((each) => {
      const found: Fault[] = [];
      return { fitted: fitValue(each, value, at, found), found };
    });
  const [best] = tries.toSorted((one, other) => one.found.length - other.found.length);
  if (!best) return refuse(value, at, [...new Set(alternatives.map(wantedOf))].join(" or "), faults);
  faults.push(...best.found);
  return best.fitted;
}

function wantedOf(schema: Schema): string {
  return schema.enum ? someOf(schema.enum) : WANTED[typeOf(schema)];
}

function typeOf(schema: Schema): Type {
  const { type = "object" } = resolved(schema);
  return type;
}

function fitWhole(schema: Schema, value: unknown, at: Path, faults: Fault[]): unknown {
  const found: Fault[] = [];
  const fitted = fitValue(schema, value, at, found);
  faults.push(...found);
  return found.some(({ kind }) => kind === "dropped") ? undefined : fitted;
}

/** Converts a JSON Schema to the keywords that Vapi supports. */
function fitJsonSchema(value: unknown, at: Path, faults: Fault[]): unknown {
  if (!isRecord(value)) return refuse(value, at, "an object", faults);
  const { schema, dropped } = convertJsonSchema(value);
  if (dropped.length > 0) faults.push({ kind: "dropped", at, ...droppedKeywords(dropped) });
  return schema;
}

/** Returns the message for keywords that Vapi's schemas do not support. */
export function droppedKeywords(names: readonly string[]): { message: string; instead: string; hint: string } {
  return {
    message: `Vapi's schemas do not support ${quotedList(names)}`,
    instead: "the schema without them",
    hint: "Describe the allowed values in the property's description",
  };
}

/** Returns a JSON Schema with only the keywords that Vapi supports, and the removed keywords. */
export function convertJsonSchema(schema: JsonObject): { schema: JsonObject; dropped: readonly string[] } {
  const dropped = new Set<string>();
  return { schema: convert(schema, dropped), dropped: [...dropped] };
}

function convert(schema: JsonObject, dropped: Set<string>): JsonObject {
  const known = keysOf("JsonSchema");
  for (const key of Object.keys(schema)) if (!known.includes(key)) dropped.add(key);
  const { items, properties, description, pattern, required, title } = schema;
  const format = choicesAt("JsonSchema", "format").find((each) => each === schema.format);
  if (schema.format !== undefined && !format) dropped.add("format");
  const choices = Array.isArray(schema.enum) ? schema.enum.filter((choice) => choice !== null) : [];
  const isEnum = choices.length > 0 && choices.every((choice) => typeof choice !== "object");
  const inner = (value: unknown) => convert(isRecord(value) ? value : {}, dropped);
  const parts = Object.entries(isRecord(properties) ? properties : {}).map(([name, value]) => [name, inner(value)]);
  const textOf = (value: unknown) => (typeof value === "string" ? value : undefined);
  const names = Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
  return defined({
    type: isEnum ? "string" : schemaTypeOf(schema),
    items: isRecord(items) ? inner(items) : undefined,
    properties: isRecord(properties) ? Object.fromEntries(parts) : undefined,
    description: textOf(description),
    pattern: textOf(pattern),
    format,
    required: names.length > 0 ? names : undefined,
    enum: isEnum ? choices.map(String) : undefined,
    title: textOf(title),
  });
}

function schemaTypeOf(schema: JsonObject): string {
  const named: readonly unknown[] = Array.isArray(schema.type) ? schema.type : [schema.type];
  const found = choicesAt("JsonSchema", "type").find((type) => named.includes(type));
  return found ?? (isRecord(schema.properties) ? "object" : isRecord(schema.items) ? "array" : "string");
}

/** Aliases of Vapi's providers and types, in lower case without punctuation. */
const KNOWN_AS: ReadonlyMap<string, readonly string[]> = new Map([
  ["assembly", ["assembly-ai"]],
  ["azurespeech", ["azure"]],
  ["bedrock", ["anthropic-bedrock"]],
  ["chatgpt", ["openai"]],
  ["claude", ["anthropic"]],
  ["custom", ["custom-llm", "custom-transcriber", "custom-voice"]],
  ["deepgramaura", ["deepgram"]],
  ["elevenlabs", ["11labs"]],
  ["gemini", ["google"]],
  ["grok", ["xai"]],
  ["humeai", ["hume"]],
  ["inflection", ["inflection-ai"]],
  ["inworldai", ["inworld"]],
  ["perplexity", ["perplexity-ai"]],
  ["phone", ["number"]],
  ["phonenumber", ["number"]],
  ["playai", ["playht"]],
  ["pstn", ["number"]],
  ["rime", ["rime-ai"]],
  ["sipuri", ["sip"]],
  ["smallest", ["smallest-ai"]],
  ["together", ["together-ai"]],
  ["wellsaidlabs", ["wellsaid"]],
]);

/** Keys whose values are languages. */
const LANGUAGE_KEY = /^languages?(Codes?)?$/;

/**
 * Returns the matching known value. Corrects case, spaces and punctuation, and a language that Vapi supports only with
 * or without a region.
 */
function choose(known: readonly unknown[], value: unknown, at: Path, faults: Fault[]): unknown {
  if (known.includes(value)) return value;
  const texts = known.filter((each) => typeof each === "string");
  const wanted = typeof value === "string" ? value : "";
  const isLanguage = LANGUAGE_KEY.test(String(at.findLast((key) => typeof key === "string")));
  const found = sameWord(texts, wanted) ?? (isLanguage ? nearLanguage(texts, wanted) : undefined);
  if (typeof value !== "string" || found === undefined) return refuse(value, at, someOf(known), faults);
  correct(at, `"${wanted}" for "${named(at)}"`, `"${found}"`, faults);
  return found;
}

/** Returns the type or provider with this name or alias. */
export function kindNamed(kinds: readonly string[], name: string): string | undefined {
  return sameWord(kinds, name) ?? KNOWN_AS.get(plain(name))?.find((kind) => kinds.includes(kind));
}

/** Like {@link kindNamed}, but reports a correction for an alias. */
function chooseKind(kinds: readonly string[], value: unknown, at: Path, faults: Fault[]): string | undefined {
  const found = typeof value === "string" ? kindNamed(kinds, value) : undefined;
  if (found === undefined) return refuse(value, at, someOf(kinds), faults);
  if (found !== value) correct(at, `"${value}" for "${named(at)}"`, `"${found}"`, faults);
  return found;
}

function sameWord(known: readonly string[], wanted: string): string | undefined {
  if (known.includes(wanted)) return wanted;
  return plain(wanted) === "" ? undefined : known.find((each) => plain(each) === plain(wanted));
}

const plain = (word: string) => word.toLowerCase().replace(/[^a-z0-9]/g, "");
