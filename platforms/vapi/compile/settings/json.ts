import { isRecord, type JsonObject, own } from "../../../../src/values/mod.ts";

/** Lists that grow when something is merged in; any other list is replaced. */
const GROWING = new Set(["tools", "toolIds", "toolRefs", "tools:append", "hooks", "credentialIds"]);

/** Whether a list under this key grows when something is merged in. */
export const isGrowing = (key: string) => GROWING.has(key);

/** A JSON object with another's values on top: objects key by key, lists of tools one after the other. */
export function mergeJson(base: JsonObject, extra: JsonObject): JsonObject {
  const merged = Object.entries(extra).map(([key, value]): [string, unknown] => {
    const before = own(base, key);
    if (isRecord(before) && isRecord(value)) return [key, mergeJson(before, value)];
    if (GROWING.has(key) && Array.isArray(before) && Array.isArray(value)) return [key, [...before, ...value]];
    return [key, value];
  });
  return Object.fromEntries([...Object.entries(base), ...merged]);
}
