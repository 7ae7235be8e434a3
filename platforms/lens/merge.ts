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
   * What kind of thing an item of a list is, where emitting writes one kind after the other and not as they stood: the order
   * of items counts within their kind. Absent: all items are of one kind.
   */
  readonly kindOf?: (item: unknown) => string | undefined;
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
   * Keys that are read from the rest of the document where they are absent, such as the first node as the one that calls
   * start at. An object that came without such a key gets it where another value would be read.
   */
  readonly defaults?: readonly string[];
  /**
   * Keys whose value names an item of a list, with the key of the item that it names, such as `{ node_id: "id" }`: where an
   * item was renamed, references that only the platform knows follow. Of several keys the first that holds a text names it.
   */
  readonly references?: { readonly [key: string]: string | readonly string[] };
  /**
   * Spells a changed text as the original spelled it, where emitting writes several spellings alike, such as `{{name}}`
   * and `name`.
   */
  readonly respell?: (original: string, base: string, mine: string) => string;
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
  const areTexts = typeof original === "string" && typeof base === "string" && typeof mine === "string";
  return areTexts && shape.respell ? shape.respell(original, base, mine) : mine;
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
function isNew(key: string, base: JsonObject, mine: JsonObject, shape: DocumentShape): boolean {
  const { derived = [], defaults = [] } = shape;
  if (!has(base, key)) return true;
  if (derived.includes(key) || defaults.includes(key)) return false;
  return !sameJson(withoutKeys(base[key], derived), withoutKeys(mine[key], derived));
}

/** The value without some keys at any depth: an edge's id that is made of its node's is no change of the edge. */
function withoutKeys(value: unknown, keys: readonly string[]): unknown {
  if (keys.length === 0) return value;
  if (Array.isArray(value)) return value.map((item) => withoutKeys(item, keys));
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([key]) => !keys.includes(key));
  return Object.fromEntries(kept.map(([key, item]) => [key, withoutKeys(item, keys)]));
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

/** An item of a merged list. `at` is its index in the original, `from` that in `base`; both are absent for a new one. */
interface Merged {
  readonly value: unknown;
  readonly at?: number;
  readonly from?: number;
}

/** One or more items of a merged list that stand together at a place of the original. */
interface Slot {
  readonly at: number;
  readonly items: Merged[];
}

function mergeLists(
  original: readonly unknown[],
  base: readonly unknown[],
  mine: readonly unknown[],
  shape: DocumentShape,
): readonly unknown[] {
  const ofOriginal = pairRest(matchItems(original, base, shape.keys, shape.kindOf), original, base); // by index in base
  const ofBase = matchItems(base, mine, shape.keys, shape.kindOf); // by index in mine
  const items = mine.flatMap((value, index): Merged[] => {
    const inBase = ofBase[index];
    if (inBase === undefined) return [{ value }];
    const at = ofOriginal[inBase];
    if (at !== undefined) return [{ value: merge(original[at], base[inBase], value, shape), at, from: inBase }];
    return sameJson(base[inBase], value) ? [] : [{ value }];
  });
  const known = new Set(ofOriginal);
  const unknown = [...original.entries()].flatMap(([at, value]) => (known.has(at) ? [] : [{ value, at }]));
  return arrange(items, unknown, shape);
}

/** Pairs what looks altogether different by its order: all objects that are left, or all items of lists of one length. */
function pairRest(pairs: readonly (number | undefined)[], original: readonly unknown[], base: readonly unknown[]) {
  const taken = new Set(pairs);
  const left = [...original.keys()].filter((index) => !taken.has(index));
  const open = [...base.keys()].filter((index) => pairs[index] === undefined);
  const isObject = (list: readonly unknown[]) => (index: number) => isRecord(list[index]);
  const [leftObjects, openObjects] = [left.filter(isObject(original)), open.filter(isObject(base))];
  if (leftObjects.length === openObjects.length && openObjects.length === open.length)
    return pairs.map((pair, index) => pair ?? leftObjects[openObjects.indexOf(index)]);
  if (original.length !== base.length) return pairs;
  return pairs.map((pair, index) => pair ?? (taken.has(index) ? undefined : index));
}

/**
 * Leaves items where they were; of a kind whose items have another order, puts them into each other's places. New ones stand
 * behind the item of their kind that they follow, and what emitting does not know stays where it was.
 */
function arrange(
  items: readonly Merged[],
  unknown: readonly (Merged & { readonly at: number })[],
  { kindOf = () => undefined }: DocumentShape,
): readonly unknown[] {
  const slots: Slot[] = unknown.map((item) => ({ at: item.at, items: [item] }));
  const slotOf = new Map<Merged, Slot>();
  for (const kind of new Set(items.map(({ value }) => kindOf(value)))) {
    const group = items.filter(({ value }) => kindOf(value) === kind);
    const froms = group.flatMap(({ from }) => from ?? []);
    const places = group.flatMap(({ at }) => at ?? []);
    if (froms.some((from, index) => from < (froms[index - 1] ?? 0))) places.sort((a, b) => a - b);
    if (places.length === 0) continue;
    // what is new at the start stands in front of all of its kind
    let slot: Slot = { at: Math.min(...places) - 0.5, items: [] };
    slots.push(slot);
    for (const item of group) {
      if (item.at !== undefined) {
        slot = { at: places.shift() ?? 0, items: [] };
        slots.push(slot);
      }
      slot.items.push(item);
      slotOf.set(item, slot);
    }
  }
  for (const [index, item] of items.entries()) {
    if (slotOf.has(item)) continue;
    const before = items[index - 1];
    const slot = (before && slotOf.get(before)) ?? { at: -1, items: [] };
    if (slot.items.length === 0) slots.push(slot);
    slot.items.splice(before ? slot.items.indexOf(before) + 1 : 0, 0, item);
    slotOf.set(item, slot);
  }
  return slots.toSorted((a, b) => a.at - b.at).flatMap((slot) => slot.items.map(({ value }) => value));
}

function has(record: JsonObject, key: string): boolean {
  return Object.hasOwn(record, key) && record[key] !== undefined;
}
