import { isRecord, matchItems, sameJson, valueOfKey } from "../../src/base/values/mod.ts";
import type { DocumentShape } from "./merge.ts";

/** New names by old names, for each key that refers to items. Old names that another item now has are left out. */
export type RenamedItems = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Finds the items whose names differ between `base` and `mine`, for each key that refers to items. */
export function renamedItems(
  base: unknown,
  mine: unknown,
  { keys, kindOf, references = {} }: DocumentShape,
): RenamedItems {
  const found = Object.entries(references).map(([key, naming]) => ({
    key,
    nameOf: (item: unknown) => nameOf(item, typeof naming === "string" ? [naming] : naming),
    renamed: new Map<string, string>(),
    taken: new Set<string | undefined>(),
  }));
  const compare = (before: unknown, after: unknown): void => {
    if (isRecord(before) && isRecord(after)) for (const key of Object.keys(after)) compare(before[key], after[key]);
    if (!Array.isArray(before) || !Array.isArray(after)) return;
    for (const [index, match] of matchItems(before, after, keys, kindOf).entries()) {
      for (const { nameOf, renamed, taken } of found) {
        const now = nameOf(after[index]);
        taken.add(now);
        const old = match === undefined ? undefined : nameOf(before[match]);
        if (old !== undefined && now !== undefined && old !== now) renamed.set(old, now);
      }
      if (match !== undefined) compare(before[match], after[index]);
    }
  };
  if (found.length > 0 && !sameJson(base, mine)) compare(base, mine);
  return new Map(
    found.map(({ key, renamed, taken }) => [key, new Map([...renamed].filter(([old]) => !taken.has(old)))]),
  );
}

/** Returns the name of a list item: the first non-empty text under one of the keys. */
function nameOf(item: unknown, keys: readonly string[]): string | undefined {
  const names = keys.map((key) => valueOfKey(item, key));
  return names.find((name): name is string => typeof name === "string" && name !== "");
}

/** Updates all references to renamed items in a document, including those that the graph does not model. */
export function followRenamed(document: unknown, renamed: RenamedItems): unknown {
  const follow = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(follow);
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        const name = typeof inner === "string" ? renamed.get(key)?.get(inner) : undefined;
        return [key, name ?? follow(inner)];
      }),
    );
  };
  return [...renamed.values()].some((names) => names.size > 0) ? follow(document) : document;
}
