import { isRecord, type JsonObject, own } from "./json.ts";

/**
 * Merges an object into another, key by key at any depth. Other values replace those before.
 *
 * @param growing Keys whose lists are appended instead. Default: none.
 */
export function mergeJson(base: JsonObject, extra: JsonObject, growing: ReadonlySet<string> = new Set()): JsonObject {
  const merged = Object.entries(extra).map(([key, value]): [string, unknown] => {
    const before = own(base, key);
    if (isRecord(before) && isRecord(value)) return [key, mergeJson(before, value, growing)];
    if (growing.has(key) && Array.isArray(before) && Array.isArray(value)) return [key, [...before, ...value]];
    return [key, value];
  });
  return Object.fromEntries([...Object.entries(base), ...merged]);
}
