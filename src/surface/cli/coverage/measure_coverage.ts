import {
  COVERAGE_KINDS,
  type Coverage,
  type CoverageCount,
  type CoverageKind,
  percentOf,
  reachableCounts,
  type UncoveredItem,
  uncovered,
} from "../../../agent/analysis/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";

/** A count of items that calls can reach, with its share in percent. */
export interface CoverageShare extends CoverageCount {
  readonly kind: CoverageKind | "total";
  readonly percent: number;
}

/** A coverage with its uncovered items. */
export interface MeasuredCoverage {
  readonly coverage: Coverage;
  readonly uncovered: readonly UncoveredItem[];
  /** Shares of the reachable items: by kind, the total last. Kinds that the agent does not have are left out. */
  readonly shares: readonly CoverageShare[];
  /** The total, in percent. */
  readonly percent: number;
}

/** Finds the uncovered items of a coverage, and its shares of what calls can reach. */
export function measureCoverage(graph: AgentGraph, coverage: Coverage): MeasuredCoverage {
  const open = uncovered(graph, coverage);
  const counts = reachableCounts(coverage, open);
  const shares = [...COVERAGE_KINDS, "total" as const].map((kind): CoverageShare => {
    return { kind, ...counts[kind], percent: percentOf(counts[kind]) };
  });
  return {
    coverage,
    uncovered: open,
    shares: shares.filter(({ kind, total }) => kind === "total" || total > 0),
    percent: percentOf(counts.total),
  };
}
