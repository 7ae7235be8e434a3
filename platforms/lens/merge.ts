import type { Path } from "../../src/errors.ts";
import { isRecord, type JsonObject, matchItems, sameJson } from "../../src/values/mod.ts";

/** What a format says about its documents, for {@link merge}. */
export interface DocumentShape {
  /**
   * Keys that identify an object within its list, such as `id`, `name` and `function.name`, a key inside another object;
   * the strongest first.
   */
  readonly keys: readonly string[];
  /**
   * Where the emitted document stands in the one that was imported: `["data", 0]` for a list inside an envelope. Absent, or
   * an empty path: it is the whole.
   */
  readonly root?: (document: unknown) => Path;
  /**
   * Keys that emitting works out from the rest of the document, such as a node's position on a canvas. An object that
   * came without such a key does not get one because something else changed.
   */
  readonly derived?: readonly string[];
  /**
   * Takes an imported document out of what stands around it, where `root` cannot say it: the result has the form that
   * emitting gives. Used in place of `root`.
   */
  readonly open?: (document: unknown) => OpenedDocument;
}

/** A document in the form that emitting gives. */
export interface OpenedDocument {
  readonly body: unknown;
  /** Puts the body, with its changes, back into what stood around it. */
  readonly close: (body: unknown) => unknown;
}

/**
 * Brings the changes between two emitted documents into the document that the first of them was imported from.
 *
 * What is the same in `base` and `mine` stays as it is in `original`, whatever its spelling, order and unknown keys. Where
 * they differ, `mine` is taken. In lists, items are paired by identity: moved ones stay whole, new ones stand behind the
 * neighbour that they have in `mine`, and items that emitting does not know stay where they are.
 *
 * @param original The document as it came.
 * @param base What emitting the imported original gives, without a change.
 * @param mine What emitting gives now.
 */
export function merge(original: unknown, base: unknown, mine: unknown, shape: DocumentShape): unknown {
  if (sameJson(base, mine)) return original;
  if (isRecord(original) && isRecord(base) && isRecord(mine)) return mergeRecords(original, base, mine, shape);
  if (Array.isArray(original) && Array.isArray(base) && Array.isArray(mine))
    return mergeLists(original, base, mine, shape);
  return mine;
}

function mergeRecords(original: JsonObject, base: JsonObject, mine: JsonObject, shape: DocumentShape): JsonObject {
  const merged = new Map<string, unknown>();
  for (const [key, value] of Object.entries(original)) {
    const [wasThere, isThere] = [has(base, key), has(mine, key)];
    if (wasThere && isThere) merged.set(key, merge(value, base[key], mine[key], shape));
    else if (isThere) merged.set(key, merge(value, emptyLike(mine[key]), mine[key], shape));
    else if (!wasThere) merged.set(key, value);
    else {
      const left = leftovers(value, base[key], shape);
      if (left !== undefined) merged.set(key, left);
    }
  }
  let before: string | undefined;
  const added: { readonly key: string; readonly before: string | undefined }[] = [];
  for (const key of Object.keys(mine)) {
    if (!has(mine, key)) continue;
    if (!has(original, key) && isNew(key, base, mine, shape)) added.push({ key, before });
    else if (!merged.has(key)) continue;
    before = key;
  }
  const newValue = (key: string) =>
    // of a list that the original lacks, only what changed is new
    Array.isArray(base[key]) && Array.isArray(mine[key]) ? mergeLists([], base[key], mine[key], shape) : mine[key];
  return Object.fromEntries(insertBehind([...merged], added, newValue));
}

/** What emitting wrote before under a key that it did not write. */
function emptyLike(value: unknown): unknown {
  return Array.isArray(value) ? [] : isRecord(value) ? {} : undefined;
}

/** Whether a key that the original lacks was set since, and not by emitting alone. */
function isNew(key: string, base: JsonObject, mine: JsonObject, { derived = [] }: DocumentShape): boolean {
  return !has(base, key) || (!sameJson(base[key], mine[key]) && !derived.includes(key));
}

/** What stays of a list that was emptied: the items that emitting never knew. */
function leftovers(original: unknown, base: unknown, shape: DocumentShape): unknown {
  if (!Array.isArray(original) || !Array.isArray(base)) return undefined;
  const left = mergeLists(original, base, [], shape);
  return left.length > 0 ? left : undefined;
}

function insertBehind(
  entries: [string, unknown][],
  added: readonly { readonly key: string; readonly before: string | undefined }[],
  newValue: (key: string) => unknown,
): [string, unknown][] {
  for (const { key, before } of added) {
    const at = before === undefined ? -1 : entries.findIndex(([known]) => known === before);
    // without a neighbour it stands at the end, as somebody who adds it by hand would write it
    entries.splice(at < 0 ? entries.length : at + 1, 0, [key, newValue(key)]);
  }
  return entries;
}

/** An item of a merged list. `at` is its index in the original; absent for a new one. */
interface Merged {
  readonly value: unknown;
  readonly at?: number;
}

function mergeLists(
  original: readonly unknown[],
  base: readonly unknown[],
  mine: readonly unknown[],
  shape: DocumentShape,
): readonly unknown[] {
  const ofOriginal = matchItems(original, base, shape.keys); // by index in base
  const ofBase = matchItems(base, mine, shape.keys); // by index in mine
  const items: Merged[] = [];
  let isMoved = false;
  let last = -1;
  for (const [index, value] of mine.entries()) {
    const inBase = ofBase[index];
    if (inBase === undefined) {
      items.push({ value });
      continue;
    }
    isMoved ||= inBase < last;
    last = Math.max(last, inBase);
    const at = ofOriginal[inBase];
    if (at !== undefined) items.push({ value: merge(original[at], base[inBase], value, shape), at });
    else if (!sameJson(base[inBase], value)) items.push({ value });
  }
  const ordered = isMoved ? items : inOriginalOrder(items);
  const known = new Set(ofOriginal);
  for (const [at, value] of original.entries()) if (!known.has(at)) insertByPlace(ordered, { value, at });
  return ordered.map(({ value }) => value);
}

/** Sorts what was there before as it was, and keeps each new item behind the one that it follows. */
function inOriginalOrder(items: readonly Merged[]): Merged[] {
  const groups: Merged[][] = [[]];
  for (const item of items) {
    if (item.at === undefined) groups.at(-1)?.push(item);
    else groups.push([item]);
  }
  const [start = [], ...rest] = groups;
  return [...start, ...rest.toSorted(([a], [b]) => (a?.at ?? 0) - (b?.at ?? 0)).flat()];
}

/** Puts an item that emitting does not know behind the nearest one that stood before it. */
function insertByPlace(items: Merged[], item: Merged & { readonly at: number }): void {
  let behind = -1;
  let nearest = -1;
  for (const [index, { at }] of items.entries())
    if (at !== undefined && at < item.at && at > nearest) [behind, nearest] = [index, at];
  // what is new behind the same neighbour stands next to it
  if (behind >= 0) while (behind + 1 < items.length && items[behind + 1]?.at === undefined) behind++;
  items.splice(behind + 1, 0, item);
}

function has(record: JsonObject, key: string): boolean {
  return Object.hasOwn(record, key) && record[key] !== undefined;
}
