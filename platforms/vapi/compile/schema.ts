import type { Vapi } from "@vapi-ai/server-sdk";
import type { Path } from "../../../src/errors.ts";
import { isRecord, type JsonObject } from "../../../src/values/mod.ts";
import { anything, type Rule, record } from "./fit.ts";
import type { LossList } from "./losses.ts";

const TYPES = ["string", "number", "integer", "boolean", "array", "object"] as const;
const FORMATS = ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"] as const;
const KNOWN = new Set(["type", "items", "properties", "description", "pattern", "format", "required", "enum", "title"]);

/**
 * A JSON Schema in the part of the language that Vapi takes (`JsonSchema`): any other keyword is left out, and said.
 *
 * @param path Where the schema is in the graph.
 */
export function emitSchema(schema: unknown, path: Path, losses: LossList): Vapi.JsonSchema {
  const dropped = new Set<string>();
  const emitted = convert(isRecord(schema) ? schema : {}, dropped, 0);
  report(dropped, path, losses);
  return emitted;
}

/** Holds a schema that came from elsewhere in Vapi's own JSON to the same part of the language. */
export const jsonSchema: Rule<never> = (value, at, faults) => {
  const dropped = new Set<string>();
  if (!isRecord(value)) return record(value, at, faults);
  const fitted = convert(value, dropped, 0);
  if (dropped.size > 0) {
    const names = [...dropped].map((name) => `"${name}"`).join(", ");
    const hint = "Say in the property's description what the values must be";
    faults.push({
      kind: "dropped",
      at,
      message: `Vapi's schemas have no ${names}`,
      instead: "the schema without them",
      hint,
    });
  }
  return anything(fitted, at, faults);
};

/** The arguments of a function: always an object with properties. */
export function emitParameters(schema: unknown, path: Path, losses: LossList): Vapi.OpenAiFunctionParameters {
  const { properties, required } = emitSchema(schema, path, losses);
  return { type: "object", properties: properties ?? {}, ...(required?.length ? { required } : {}) };
}

function report(dropped: ReadonlySet<string>, path: Path, losses: LossList): void {
  if (dropped.size === 0) return;
  const names = [...dropped].map((name) => `"${name}"`).join(", ");
  losses.dropped(
    "schema-keyword",
    path,
    `Vapi's schemas have no ${names}`,
    "the schema without them",
    "Say in the property's description what the values must be",
  );
}

function convert(schema: JsonObject, dropped: Set<string>, depth: number): Vapi.JsonSchema {
  for (const key of Object.keys(schema)) if (!KNOWN.has(key)) dropped.add(key);
  const { items, properties, description, pattern, required, title } = schema;
  const type = typeOf(schema);
  const format = FORMATS.find((known) => known === schema.format);
  if (schema.format !== undefined && !format) dropped.add("format");
  const choices = Array.isArray(schema.enum) ? schema.enum.filter((choice) => choice !== null) : [];
  const plain = choices.every((choice) => typeof choice !== "object");
  return {
    type: choices.length > 0 && plain ? "string" : type,
    ...(isRecord(items) ? { items: convert(items, dropped, depth + 1) } : {}),
    ...(isRecord(properties)
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, value]) => [
              name,
              convert(isRecord(value) ? value : {}, dropped, depth + 1),
            ]),
          ),
        }
      : {}),
    ...(typeof description === "string" ? { description } : {}),
    ...(typeof pattern === "string" ? { pattern } : {}),
    ...(format ? { format } : {}),
    ...(Array.isArray(required) && required.length > 0
      ? { required: required.filter((name) => typeof name === "string") }
      : {}),
    ...(choices.length > 0 && plain ? { enum: choices.map(String) } : {}),
    ...(typeof title === "string" ? { title } : {}),
  };
}

function typeOf(schema: JsonObject): (typeof TYPES)[number] {
  const named: readonly unknown[] = Array.isArray(schema.type) ? schema.type : [schema.type];
  const found = TYPES.find((type) => named.includes(type));
  if (found) return found;
  if (isRecord(schema.properties)) return "object";
  return isRecord(schema.items) ? "array" : "string";
}
