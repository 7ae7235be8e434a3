import { isRecord, rule } from "../../../base/values/mod.ts";

/** Accepts what `coverage()` has returned. */
export const COVERAGE_RULE = rule("what coverage() has returned", isCoverage);

export function isCoverage(value: unknown): boolean {
  if (!isRecord(value) || !Array.isArray(value.items) || !isRecord(value.leftOut)) return false;
  return value.items.every(
    (item) => isRecord(item) && typeof item.kind === "string" && typeof item.node === "string" && "calls" in item,
  );
}
