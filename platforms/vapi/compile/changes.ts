import type { Path } from "../../../src/errors.ts";
import { isRecord, sameJson } from "../../../src/values/mod.ts";

/** One place at which a document is not what was emitted. */
export interface Change {
  readonly path: Path;
  readonly kind: "changed" | "added" | "removed";
}

/** The first places at which two documents differ, the deepest of each. */
export function changesOf(before: unknown, after: unknown, most: number, path: Path = []): readonly Change[] {
  if (sameJson(before, after)) return [];
  const [old, now] = [entriesOf(before), entriesOf(after)];
  if (!old || !now || Array.isArray(before) !== Array.isArray(after)) return [{ path, kind: "changed" }];
  const found: Change[] = [];
  for (const [key, value] of old) {
    const at = [...path, Array.isArray(before) ? Number(key) : key];
    if (!now.has(key)) found.push({ path: at, kind: "removed" });
    else found.push(...changesOf(value, now.get(key), most - found.length, at));
    if (found.length >= most) return found.slice(0, most);
  }
  for (const key of now.keys())
    if (!old.has(key)) found.push({ path: [...path, Array.isArray(after) ? Number(key) : key], kind: "added" });
  return found.slice(0, most);
}

function entriesOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  return Array.isArray(value) || isRecord(value) ? new Map(Object.entries(value)) : undefined;
}
