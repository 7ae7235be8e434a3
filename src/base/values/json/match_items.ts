import { groupBy } from "../group_by.ts";
import { isRecord, type JsonObject, own, sameJson } from "./json.ts";
import { getAt } from "./json_path.ts";
import { pairEqual } from "./pair_equal.ts";

/** With more comparisons than this, unmatched items are paired by order only. */
const MOST_COMPARISONS = 2_500;
/** Share of equal keys above which objects with different or no identity count as the same, renamed object. */
const ALIKE = 0.5;

/**
 * Pairs the items of two versions of a list: by equal content, then by identity (the first of `keys` that an object
 * has), then by similarity, which finds renamed objects and objects without identity.
 *
 * @param keys Keys that identify an object within its list, strongest first: `id`, `name`, or a nested key such as
 *   `function.name`.
 * @param kindOf Returns the kind of an item. Items of different kinds are never paired.
 * @returns For each item of `after` the index of its counterpart in `before`, or `undefined` if it is new.
 */
export function matchItems(
  before: readonly unknown[],
  after: readonly unknown[],
  keys: readonly string[],
  kindOf: (item: unknown) => string | undefined = () => undefined,
): readonly (number | undefined)[] {
  const matches = pairEqual(before, after);
  const paired = new Set(matches);
  const open = new Set([...before.keys()].filter((index) => !paired.has(index)));
  const set = (index: number, match: number) => {
    matches[index] = match;
    open.delete(match);
  };
  const pairBy = (nameOf: (item: unknown) => string | undefined) => {
    const byName = groupBy(open, (index) => nameOf(before[index]));
    for (const [index, item] of after.entries()) {
      const name = matches[index] === undefined ? nameOf(item) : undefined;
      const match = name === undefined ? undefined : byName.get(name)?.shift();
      if (match !== undefined) set(index, match);
    }
  };
  for (const key of keys)
    pairBy((item) => {
      const name = identity(item, key);
      return name === undefined ? undefined : `${kindOf(item) ?? ""}:${name}`;
    });
  const unmatched = matches.flatMap((match, index) => (match === undefined ? [index] : []));
  if (open.size * unmatched.length > MOST_COMPARISONS) return matches;
  for (const { index, match } of alikePairs(before, after, unmatched, open, keys))
    if (matches[index] === undefined && open.has(match) && kindOf(before[match]) === kindOf(after[index]))
      set(index, match);
  return matches;
}

/** Returns the value of a key such as `id`, or of a nested key such as `function.name`. */
export function valueOfKey(item: unknown, key: string): unknown {
  return getAt(item, key.split("."));
}

function identity(item: unknown, key: string): string | undefined {
  const value = valueOfKey(item, key);
  if (value === "") return undefined;
  return typeof value === "string" || typeof value === "number" ? `${typeof value}:${value}` : undefined;
}

/** Returns similar pairs, the most similar first, then the nearest. */
function alikePairs(
  before: readonly unknown[],
  after: readonly unknown[],
  unmatched: readonly number[],
  open: ReadonlySet<number>,
  keys: readonly string[],
): readonly { readonly index: number; readonly match: number }[] {
  const pairs = unmatched.flatMap((index) =>
    [...open].flatMap((match) => {
      const score = similarity(before[match], after[index], keys);
      return score === undefined ? [] : [{ index, match, score, apart: Math.abs(index - match) }];
    }),
  );
  return pairs.sort((a, b) => b.score - a.score || a.apart - b.apart);
}

/** Returns the similarity from 0 to 1; `undefined` when the two cannot be the same. */
function similarity(a: unknown, b: unknown, keys: readonly string[]): number | undefined {
  if (Array.isArray(a) && Array.isArray(b)) return 0;
  if (!isRecord(a) || !isRecord(b)) return undefined;
  const named = (item: JsonObject) => keys.some((key) => identity(item, key) !== undefined);
  if (named(a) && named(b) && !hasMore(a, keys) && !hasMore(b, keys)) return undefined;
  const share = equalShare(a, b, keys);
  return (named(a) || named(b)) && share < ALIKE ? undefined : share;
}

/** Whether an object has content besides its identity. */
function hasMore(item: JsonObject, keys: readonly string[]): boolean {
  return Object.entries(item).some(([key, value]) => {
    const inner = keys.flatMap((each) => (each.startsWith(`${key}.`) ? [each.slice(key.length + 1)] : []));
    return isRecord(value) && inner.length > 0 ? hasMore(value, inner) : !keys.includes(key);
  });
}

/** Returns the share of equal keys, recursively for objects. Identifying keys do not count. */
function equalShare(a: JsonObject, b: JsonObject, keys: readonly string[]): number {
  const inner = (key: string) =>
    keys.flatMap((each) => (each.startsWith(`${key}.`) ? [each.slice(key.length + 1)] : []));
  const hasOnlyNames = (value: unknown, key: string) =>
    isRecord(value) && Object.keys(value).every((name) => inner(key).includes(name));
  const all = [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((key) => {
    const [one, other] = [own(a, key), own(b, key)];
    const isNew = !isRecord(one) ? hasOnlyNames(other, key) : !isRecord(other) && hasOnlyNames(one, key);
    return !keys.includes(key) && !isNew;
  });
  if (all.length === 0) return 1;
  const shares = all.map((key): number => {
    const [one, other] = [own(a, key), own(b, key)];
    if (one !== undefined && sameJson(one, other)) return 1;
    return isRecord(one) && isRecord(other) ? equalShare(one, other, inner(key)) : 0;
  });
  return shares.reduce((sum, share) => sum + share, 0) / all.length;
}
