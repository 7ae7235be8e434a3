import { canonicalJson, isRecord, own } from "../../../../base/values/mod.ts";
import { withoutEmpty } from "../../../../document/graph/mod.ts";

/** A key for comparing two values: equal for values that the fingerprint of a graph treats as equal. */
export function comparisonKey(value: unknown): string {
  return isNothing(value) ? "" : canonicalJson(withoutEmpty(value));
}

/** Whether the fingerprint of a graph treats two values of a key as equal. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  const [one, other] = [isNothing(a), isNothing(b)];
  return one || other ? one && other : isSameItem(a, b);
}

/** Whether a value counts as absent: `null`, `[]` and `{}`, and objects of these alone. */
export function isNothing(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isRecord(value) && Object.values(value).every(isNothing);
}

/** In a list, `null` and empty objects are items, and not the same. */
function isSameItem(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (a === null || a === undefined) return b === null || b === undefined;
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => isSameItem(item, b[index]));
  if (!isRecord(a) || !isRecord(b)) return Number.isNaN(a) && Number.isNaN(b);
  return (
    Object.keys(a).every((key) => isSame(a[key], own(b, key))) &&
    Object.keys(b).every((key) => Object.hasOwn(a, key) || isNothing(b[key]))
  );
}
