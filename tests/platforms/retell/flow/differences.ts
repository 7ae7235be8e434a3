import { isRecord, sameJson } from "../../../../src/base/values/mod.ts";

/** Returns the paths at which two JSON values differ. An added or removed list item is one difference. */
export function differences(before: unknown, after: unknown, path: readonly (string | number)[] = []): string[] {
  if (sameJson(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) {
    if (before.length === after.length)
      return before.flatMap((item, index) => differences(item, after[index], [...path, index]));
    const [longer, shorter] = before.length > after.length ? [before, after] : [after, before];
    const at = longer.findIndex((item, index) => !sameJson(item, shorter[index]));
    if (sameJson(longer.toSpliced(at, 1), shorter)) return [[...path, at].join(".")];
  } else if (isRecord(before) && isRecord(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    const of = (record: { readonly [key: string]: unknown }, key: string) =>
      Object.hasOwn(record, key) ? record[key] : undefined;
    return [...keys].flatMap((key) => differences(of(before, key), of(after, key), [...path, key]));
  }
  return [path.join(".")];
}

/** Removes the original document and platform metadata from a graph. The rest affects calls. */
export function meaning(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(meaning);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).filter(([key]) => !["metadata", "retell", "original"].includes(key));
  return Object.fromEntries(entries.map(([key, item]) => [key, meaning(item)]));
}
