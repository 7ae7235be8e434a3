import type { Path } from "../../src/base/errors.ts";
import { isRecord, type JsonObject, matchItems, omit, sameJson, valueOfKey } from "../../src/base/values/mod.ts";

/** Structure of a format's documents, for {@link merge}. */
export interface DocumentShape {
  /** Keys that identify an object within its list, strongest first: `id`, `name`, or nested: `function.name`. */
  readonly keys: readonly string[];
  /**
   * Returns the kind of a list item, if the emitter sorts items by kind. The order of items then counts only within
   * their kind. Default: all items are of one kind.
   */
  readonly kindOf?: (item: unknown) => string | undefined;
  /** Returns the path of the emitted part in an imported document: `["data", 0]` in an envelope. Default: `[]`. */
  readonly root?: (document: unknown) => Path;
  /**
   * Keys that the emitter computes from the rest of the document, such as a node's position on a canvas. They are not
   * added to an object that was imported without them.
   */
  readonly derived?: readonly string[];
  /**
   * Keys that have a default computed from the rest of the document, such as the start node, which is the first node by
   * default. They are added to an object that was imported without them only if the default would be wrong.
   */
  readonly defaults?: readonly string[];
  /**
   * Keys that refer to list items, each with the item key that it contains: `{ node_id: "id" }`. When an item is
   * renamed, references that the graph does not model are renamed too. Of several item keys, the first with a text
   * counts.
   */
  readonly references?: { readonly [key: string]: string | readonly string[] };
  /** Keys of maps that are merged like lists, so that a renamed item is the same; see `ITEM_NAME` for `keys`. */
  readonly maps?: readonly string[];
  /** Writes a changed text in the original's spelling, if the emitter normalizes spellings: `{{name}}` and `name`. */
  readonly respell?: (original: string, base: string, mine: string) => string;
  /** Converts an imported document to the form that the emitter writes, if `root` is not enough. Replaces `root`. */
  readonly open?: (document: unknown) => OpenedDocument;
}

/** An imported document in the form that the emitter writes. */
export interface OpenedDocument {
  readonly body: unknown;
  /** Converts the merged body back. */
  readonly close: (body: unknown) => unknown;
}

/**
 * Applies the changes between two emitted documents to the imported one.
 *
 * Where `base` and `mine` are equal, the original is kept, with its spelling, key order and unknown keys. Where they
 * differ, `mine` is used. List items are matched by identity: moved items keep their unknown keys, new items are
 * inserted after their neighbour in `mine`, and items that the emitter does not write keep their place.
 *
 * @param original The imported document.
 * @param base What the emitter writes for the imported graph.
 * @param mine What the emitter writes for the current graph.
 */
export function merge(original: unknown, base: unknown, mine: unknown, shape: DocumentShape): unknown {
  if (sameJson(base, mine)) return original;
  if (isRecord(original) && isRecord(base) && isRecord(mine)) return mergeRecords(original, base, mine, shape);
  if (Array.isArray(original) && Array.isArray(base) && Array.isArray(mine))
    return mergeLists(original, base, mine, shape);
  const areTexts = typeof original === "string" && typeof base === "string" && typeof mine === "string";
  return areTexts && shape.respell ? shape.respell(original, base, mine) : mine;
}

function mergeRecords(original: JsonObject, base: JsonObject, mine: JsonObject, shape: DocumentShape): JsonObject {
  const merged = Object.entries(original).flatMap(([key, value]): [string, unknown][] => {
    const [before, now] = [base[key], mine[key]];
    if (has(mine, key)) return [[key, merge(value, has(base, key) ? before : emptyLike(now), now, shape)]];
    if (!has(base, key)) return [[key, value]];
    const left = leftovers(value, before, shape);
    return left.length > 0 ? [[key, left]] : [];
  });
  let previous: string | undefined;
  for (const key of Object.keys(mine).filter((each) => has(mine, each))) {
    if (!has(original, key)) {
      if (!isNew(key, base, mine, shape)) continue;
      const [before, now] = [base[key], mine[key]];
      // a list that the original lacks gets only the items that changed
      const value = Array.isArray(before) && Array.isArray(now) ? mergeLists([], before, now, shape) : now;
      const at = merged.findIndex(([known]) => known === previous);
      // a key without a neighbour goes to the end, as if written by hand
      merged.splice(at < 0 ? merged.length : at + 1, 0, [key, value]);
    }
    previous = key;
  }
  return Object.fromEntries(merged);
}

/** Returns an empty base for a key that the emitter did not write for the imported graph. */
function emptyLike(value: unknown): unknown {
  return Array.isArray(value) ? [] : isRecord(value) ? {} : undefined;
}

/** Whether a key that the original lacks comes from a change of the graph, not from the emitter alone. */
function isNew(key: string, base: JsonObject, mine: JsonObject, shape: DocumentShape): boolean {
  const { derived = [], defaults = [] } = shape;
  if (!has(base, key)) return true;
  if (derived.includes(key) || defaults.includes(key)) return false;
  return !sameJson(withoutKeys(base[key], derived), withoutKeys(mine[key], derived));
}

/** Removes keys at any depth, because a changed derived key, such as an edge's id, does not change its object. */
function withoutKeys(value: unknown, keys: readonly string[]): unknown {
  if (keys.length === 0) return value;
  if (Array.isArray(value)) return value.map((item) => withoutKeys(item, keys));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(omit(value, keys)).map(([key, item]) => [key, withoutKeys(item, keys)]));
}

/** Returns the items of a removed list that the emitter does not write, which are kept. */
function leftovers(original: unknown, base: unknown, shape: DocumentShape): readonly unknown[] {
  return Array.isArray(original) && Array.isArray(base) ? mergeLists(original, base, [], shape) : [];
}

/** An item of a merged list, with its index in the original and in `base`. */
interface Kept {
  readonly value: unknown;
  readonly at: number;
  readonly from: number;
}

/** An item of a merged list; a new one has no index in the original. */
type Merged = Kept | { readonly value: unknown; readonly at?: undefined };

function mergeLists(
  original: readonly unknown[],
  base: readonly unknown[],
  mine: readonly unknown[],
  shape: DocumentShape,
): readonly unknown[] {
  const ofOriginal = pairRest(matchItems(original, base, shape.keys, shape.kindOf), original, base); // by index in base
  const ofBase = matchItems(base, mine, shape.keys, shape.kindOf); // by index in mine
  const items = mine.flatMap((value, index): Merged[] => {
    const from = ofBase[index];
    if (from === undefined) return [{ value }];
    const at = ofOriginal[from];
    if (at !== undefined) return [{ value: merge(original[at], base[from], value, shape), at, from }];
    return sameJson(base[from], value) ? [] : [{ value }];
  });
  const known = new Set(ofOriginal);
  const added = new Set(items.filter(({ at }) => at === undefined));
  const unknown = [...original.entries()].flatMap(([at, value]): (readonly [number, unknown])[] => {
    if (known.has(at)) return [];
    // an item that was added on both sides is one item
    const twin = [...added].find((item) => isSameItem(value, item.value, shape));
    if (!twin) return [[at, value]];
    added.delete(twin);
    return [[at, merge(value, emptyLike(twin.value), twin.value, shape)]];
  });
  return arrange(
    items.filter((item) => item.at !== undefined || added.has(item)),
    unknown,
    shape,
  );
}

/** Whether two items have the same identity. Items without identity keys are compared by value. */
function isSameItem(one: unknown, other: unknown, { keys, kindOf = () => undefined }: DocumentShape): boolean {
  if (kindOf(one) !== kindOf(other)) return false;
  const key = keys.find((each) => valueOfKey(other, each) !== undefined);
  return key === undefined ? sameJson(one, other) : sameJson(valueOfKey(one, key), valueOfKey(other, key));
}

/** Pairs unmatched items by their order: all remaining objects, or all remaining items of lists of the same length. */
function pairRest(pairs: readonly (number | undefined)[], original: readonly unknown[], base: readonly unknown[]) {
  const taken = new Set(pairs);
  const left = [...original.keys()].filter((index) => !taken.has(index));
  const open = [...base.keys()].filter((index) => pairs[index] === undefined);
  const leftObjects = left.filter((index) => isRecord(original[index]));
  if (leftObjects.length === open.length && open.every((index) => isRecord(base[index])))
    return pairs.map((pair, index) => pair ?? leftObjects[open.indexOf(index)]);
  if (original.length !== base.length) return pairs;
  return pairs.map((pair, index) => pair ?? (taken.has(index) ? undefined : index));
}

/** Adjacent items of a merged list, and the index in the original that they are sorted by. */
interface ListStretch {
  readonly at: number;
  readonly items: Merged[];
}

/**
 * Sorts the items of a merged list. An item keeps its place in the original. If items of a kind changed their order,
 * the first takes the place of the first in `base`, and so on, so that items of other kinds do not move. New items
 * follow the previous item of their kind.
 *
 * @param unknown Items that the emitter does not write, with their index in the original.
 */
function arrange(
  items: readonly Merged[],
  unknown: readonly (readonly [at: number, value: unknown])[],
  { kindOf = () => undefined }: DocumentShape,
): readonly unknown[] {
  const slots = unknown.map(([at, value]): ListStretch => ({ at, items: [{ value }] }));
  const stretchOf = new Map<Merged, ListStretch>();
  for (const kind of new Set(items.map(({ value }) => kindOf(value)))) {
    const group = items.filter(({ value }) => kindOf(value) === kind);
    const kept = group.filter((item): item is Kept => item.at !== undefined);
    const places = kept.toSorted((a, b) => a.from - b.from).map(({ at }) => at);
    if (places.length === 0) continue;
    // new items at the start go before all others of their kind
    let slot: ListStretch = { at: Math.min(...places) - 0.5, items: [] };
    slots.push(slot);
    for (const item of group) {
      if (item.at !== undefined) {
        slot = { at: places.shift() ?? 0, items: [] };
        slots.push(slot);
      }
      slot.items.push(item);
      stretchOf.set(item, slot);
    }
  }
  // items of a new kind follow the previous item of any kind
  for (const [index, item] of items.entries()) {
    if (stretchOf.has(item)) continue;
    const before = items[index - 1];
    const slot = (before && stretchOf.get(before)) ?? { at: -1, items: [] };
    if (slot.items.length === 0) slots.push(slot);
    slot.items.splice(before ? slot.items.indexOf(before) + 1 : 0, 0, item);
    stretchOf.set(item, slot);
  }
  return slots.toSorted((a, b) => a.at - b.at).flatMap((slot) => slot.items.map(({ value }) => value));
}

function has(record: JsonObject, key: string): boolean {
  return Object.hasOwn(record, key) && record[key] !== undefined;
}
