import { completeCoverage } from "./complete_coverage.ts";
import { targetKey } from "./targets.ts";
import type { Coverage, CoverageCount } from "./types.ts";
import type { UncoveredItem } from "./uncovered.ts";

/** The counts of a coverage without the items that no call can reach. */
export function reachableCounts(coverage: Coverage, open: readonly UncoveredItem[]): Coverage["counts"] {
  const closed = new Set(open.flatMap(({ kind, item }) => (kind === "none" ? [targetKey(item)] : [])));
  return completeCoverage({ ...coverage, items: coverage.items.filter((item) => !closed.has(targetKey(item))) }).counts;
}

/** A share in percent, rounded down to one decimal, so that 100 means all. 100 where there is nothing to cover. */
export function percentOf({ covered, total }: CoverageCount): number {
  return total === 0 ? 100 : Math.floor((covered / total) * 1_000) / 10;
}
