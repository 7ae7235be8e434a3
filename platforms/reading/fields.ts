import { isRecord, type JsonObject, jsonOrText, own } from "../../src/base/values/mod.ts";

/** Returns the text under a key; `undefined` when it is no text or empty. */
export function textAt(record: JsonObject, key: string): string | undefined {
  const value = own(record, key);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Returns the number under a key; `undefined` when it is not a number. */
export function numberAt(record: JsonObject, key: string): number | undefined {
  const value = own(record, key);
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** Arguments of a tool call: an object, or its JSON. Anything else is kept under the key `arguments`. */
export function argumentsFrom(value: unknown): JsonObject {
  const read = jsonOrText(value);
  if (isRecord(read)) return read;
  return read === undefined || read === null || read === "" ? {} : { arguments: read };
}

/** Time from milliseconds since 1970 or ISO 8601; `undefined` when it is neither. */
export function timeFrom(value: unknown): number | undefined {
  const time = typeof value === "string" ? Date.parse(value) : value;
  return typeof time === "number" && Number.isFinite(time) && Math.abs(time) <= LAST_TIME ? time : undefined;
}

/** Latest time that a `Date` holds. */
const LAST_TIME = 8.64e15;
