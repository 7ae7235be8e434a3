import { groupBy } from "../group_by.ts";
import { canonicalJson, isRecord, sameJson } from "./json.ts";

/**
 * Pairs each item of `after` with the first equal item of `before` that is not paired yet. Only items with equal texts,
 * numbers and keys are compared in depth: serializing all items would take most of the time of writing an edit.
 *
 * @returns For each item of `after` the index of its counterpart in `before`, or `undefined` if there is none.
 */
export function pairEqual(before: readonly unknown[], after: readonly unknown[]): (number | undefined)[] {
  const pairs: (number | undefined)[] = after.map(() => undefined);
  // most lists are equal, or equal up to one item
  let first = 0;
  for (const most = Math.min(before.length, after.length); first < most; first++) {
    if (!sameJson(before[first], after[first])) break;
    pairs[first] = first;
  }
  const known = groupBy(indexesFrom(first, before), (index) => surfaceOf(before[index]));
  for (const [surface, indexes] of groupBy(indexesFrom(first, after), (index) => surfaceOf(after[index]))) {
    const candidates = known.get(surface) ?? [];
    const [match] = candidates;
    const [index] = indexes;
    if (match === undefined || index === undefined) continue;
    if (candidates.length === 1 && indexes.length === 1) {
      if (sameJson(before[match], after[index])) pairs[index] = match;
      continue;
    }
    const open = groupBy(candidates, (each) => canonicalJson(before[each]));
    for (const each of indexes) pairs[each] = open.get(canonicalJson(after[each]))?.shift();
  }
  return pairs;
}

function indexesFrom(first: number, items: readonly unknown[]): readonly number[] {
  return [...items.keys()].slice(first);
}

/** Returns a text of the item without the content of inner lists and objects. Equal items have equal texts. */
function surfaceOf(item: unknown): string {
  if (!isRecord(item)) return brief(item);
  const keys = Object.keys(item).filter((key) => item[key] !== undefined);
  return keys
    .sort()
    .map((key) => `${key}:${brief(item[key])}`)
    .join();
}

function brief(value: unknown): string {
  if (Array.isArray(value)) return `[${value.length}]`;
  return isRecord(value) ? "{}" : `${typeof value} ${value}`;
}
