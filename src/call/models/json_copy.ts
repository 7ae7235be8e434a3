import type { JSONValue } from "@ai-sdk/provider";
import { isRecord } from "../../base/values/mod.ts";

/** Copies a value like a JSON round trip, in a fraction of the time: the input of a model call holds the whole history. */
export function jsonCopy(value: unknown): JSONValue {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
  if (Array.isArray(value)) return value.map(jsonCopy);
  if (!isRecord(value) || typeof value.toJSON === "function") return JSON.parse(JSON.stringify(value) ?? "null");
  return jsonRecord(value);
}

/** {@link jsonCopy} of an object. */
export function jsonRecord(source: object): Record<string, JSONValue> {
  const copy: Record<string, JSONValue> = {};
  for (const [key, item] of Object.entries(source)) {
    if (item === undefined || typeof item === "function" || typeof item === "symbol") continue;
    if (key === "__proto__") {
      Object.defineProperty(copy, key, { value: jsonCopy(item), enumerable: true, writable: true, configurable: true });
    } else copy[key] = jsonCopy(item);
  }
  return copy;
}
