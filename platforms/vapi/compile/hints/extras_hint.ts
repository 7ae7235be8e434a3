import { isRecord, type JsonObject, own } from "../../../../src/values/mod.ts";
import { isGrowing } from "../settings/mod.ts";

/**
 * Where an author's own settings stand in what they were merged into, without what they are: keys are keys, a list that
 * was appended is its length, anything else is `true`.
 */
export function shapeOf(extras: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(extras).map(([key, value]) => {
      if (isRecord(value) && Object.keys(value).length > 0) return [key, shapeOf(value)];
      return [key, isGrowing(key) && Array.isArray(value) ? value.length : true];
    }),
  );
}

/** The settings that a {@link shapeOf} was made of, read from what they were merged into. */
export function readShape(shape: unknown, merged: unknown): JsonObject | undefined {
  if (!isRecord(shape) || !isRecord(merged)) return undefined;
  const found = Object.entries(shape).map(([key, part]): [string, unknown] => {
    const value = own(merged, key);
    if (isRecord(part)) return [key, readShape(part, value) ?? {}];
    return [key, typeof part === "number" && Array.isArray(value) ? value.slice(value.length - part) : value];
  });
  return Object.fromEntries(found);
}
