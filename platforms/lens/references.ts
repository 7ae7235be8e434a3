import { isRecord, matchItems, own, valueAt } from "../../src/values/mod.ts";
import type { DocumentShape } from "./merge.ts";

/** New names of list items by the key that names them and their old names, which no item of any list has any more. */
export type RenamedItems = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Finds the items that have another name in `mine` than in `base`, by each key that the format's references lead to. */
export function renamedItems(
  base: unknown,
  mine: unknown,
  { keys, kindOf, references = {} }: DocumentShape,
): RenamedItems {
  const naming = [...new Set(Object.values(references))];
  const renamed = new Map(naming.map((key) => [key, new Map<string, string>()]));
  const taken = new Map(naming.map((key) => [key, new Set<unknown>()]));
  const compare = (before: unknown, after: unknown): void => {
    if (isRecord(before) && isRecord(after)) for (const key of Object.keys(after)) compare(before[key], after[key]);
    if (!Array.isArray(before) || !Array.isArray(after)) return;
    for (const [index, match] of matchItems(before, after, keys, kindOf).entries()) {
      for (const key of naming) {
        const now = valueAt(after[index], key);
        taken.get(key)?.add(now);
        const old = match === undefined ? undefined : valueAt(before[match], key);
        if (typeof old === "string" && old !== "" && typeof now === "string" && old !== now)
          renamed.get(key)?.set(old, now);
      }
      if (match !== undefined) compare(before[match], after[index]);
    }
  };
  if (naming.length > 0) compare(base, mine);
  return new Map(
    [...renamed].map(([key, names]) => [key, new Map([...names].filter(([old]) => !taken.get(key)?.has(old)))]),
  );
}

/** The same document with references to renamed items, those included that stand where only the platform knows of them. */
export function followRenamed(document: unknown, renamed: RenamedItems, { references = {} }: DocumentShape): unknown {
  const follow = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(follow);
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        const naming = own(references, key);
        const name = naming !== undefined && typeof inner === "string" ? renamed.get(naming)?.get(inner) : undefined;
        return [key, name ?? follow(inner)];
      }),
    );
  };
  return [...renamed.values()].some((names) => names.size > 0) ? follow(document) : document;
}
