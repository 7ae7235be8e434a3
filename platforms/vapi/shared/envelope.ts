import type { Path } from "../../../src/base/errors.ts";
import { getAt, isRecord, type JsonObject } from "../../../src/base/values/mod.ts";

/** A document and its path in the envelope: a list as the API returns it, or an object around the document. */
export interface Opened {
  readonly document: JsonObject;
  readonly at: Path;
}

/** Keys of envelopes, besides those named after the kind of document. */
const WRAPPERS = ["data", "result", "results", "items", "body", "payload", "response"];
const MAX_WRAPPERS = 4;

/**
 * Finds a document in its envelope. In a list, the first matching item is used.
 *
 * @param keys Envelope keys for this kind of document: `squad`, `squads`.
 * @param fits Whether an object is the document itself, judged by its keys.
 * @param at Path of the value.
 */
export function openEnvelope(
  value: unknown,
  keys: readonly string[],
  fits: (record: JsonObject) => boolean,
  at: Path = [],
): Opened | undefined {
  if (isRecord(value) && fits(value)) return { document: value, at };
  if (at.length === MAX_WRAPPERS || typeof value !== "object") return undefined;
  const parts: readonly (string | number)[] = Array.isArray(value) ? [...value.keys()] : [...keys, ...WRAPPERS];
  for (const part of parts) {
    const found = openEnvelope(getAt(value, [part]), keys, fits, [...at, part]);
    if (found) return found;
  }
  return undefined;
}
