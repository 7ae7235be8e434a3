import type { Path } from "../../../src/base/errors.ts";
import { defined, isRecord, type JsonObject, quotedList } from "../../../src/base/values/mod.ts";
import { type Fault, refuse } from "./faults.ts";
import { choicesAt, keysOf } from "./schema.ts";

/** Converts a JSON Schema to the keywords that Vapi supports. */
export function fitJsonSchema(value: unknown, at: Path, faults: Fault[]): unknown {
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
    type: isEnum ? "string" : typeOf(schema),
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

function typeOf(schema: JsonObject): string {
  const named: readonly unknown[] = Array.isArray(schema.type) ? schema.type : [schema.type];
  const found = choicesAt("JsonSchema", "type").find((type) => named.includes(type));
  return found ?? (isRecord(schema.properties) ? "object" : isRecord(schema.items) ? "array" : "string");
}
