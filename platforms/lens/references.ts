import { isRecord, matchItems } from "../../src/values/mod.ts";
import type { DocumentShape } from "./merge.ts";

/** New names of list items by their old ones, which no item of the same list has any more. */
export function renamedItems(base: unknown, mine: unknown, { keys, kindOf, references }: DocumentShape) {
  const renamed = new Map<string, string>();
  const nameOf = (item: unknown): string | undefined => {
    const name = isRecord(item) ? keys.map((key) => item[key]).find((value) => typeof value === "string") : undefined;
    return typeof name === "string" ? name : undefined;
  };
  const compare = (before: unknown, after: unknown): void => {
    if (isRecord(before) && isRecord(after)) for (const key of Object.keys(after)) compare(before[key], after[key]);
    if (!Array.isArray(before) || !Array.isArray(after)) return;
    const names = new Set(after.map(nameOf));
    for (const [index, match] of matchItems(before, after, keys, kindOf).entries()) {
      if (match === undefined) continue;
      const [old, now] = [nameOf(before[match]), nameOf(after[index])];
      if (old !== undefined && now !== undefined && !names.has(old)) renamed.set(old, now);
      compare(before[match], after[index]);
    }
  };
  if (references) compare(base, mine);
  return renamed;
}

/** The same document with references to renamed items, those included that stand where only the platform knows of them. */
export function followRenamed(
  document: unknown,
  renamed: ReadonlyMap<string, string>,
  { references = [] }: DocumentShape,
): unknown {
  const follow = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(follow);
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        const name = typeof inner === "string" && references.includes(key) ? renamed.get(inner) : undefined;
        return [key, name ?? follow(inner)];
      }),
    );
  };
  return renamed.size > 0 ? follow(document) : document;
}
