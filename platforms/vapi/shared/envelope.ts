import { isRecord, type JsonObject, type JsonPath } from "../../../src/values/mod.ts";

/** A document within what it came in: a list as the API returns it, or an object around it. */
export interface Opened {
  readonly document: JsonObject;
  readonly at: JsonPath;
}

/** Keys under which documents come, beside the one named after their kind. */
const WRAPPERS = ["data", "result", "results", "items", "body", "payload", "response"];
const MAX_WRAPPERS = 4;

/**
 * Finds the document in what it came in. Of a list it is the first that fits; the others are kept as they are.
 *
 * @param keys Keys of an envelope of this kind: `squad`, `squads`.
 * @param fits Whether an object is the document itself, by its keys.
 */
export function openEnvelope(
  value: unknown,
  keys: readonly string[],
  fits: (record: JsonObject) => boolean,
): Opened | undefined {
  return search(value, [], 0);

  function search(inner: unknown, at: JsonPath, depth: number): Opened | undefined {
    if (depth > MAX_WRAPPERS) return undefined;
    if (Array.isArray(inner)) {
      for (const [index, item] of inner.entries()) {
        const found = search(item, [...at, index], depth + 1);
        if (found) return found;
      }
      return undefined;
    }
    if (!isRecord(inner)) return undefined;
    if (fits(inner)) return { document: inner, at };
    for (const key of [...keys, ...WRAPPERS]) {
      const item = Object.hasOwn(inner, key) ? inner[key] : undefined;
      const found = typeof item === "object" ? search(item, [...at, key], depth + 1) : undefined;
      if (found) return found;
    }
    return undefined;
  }
}
