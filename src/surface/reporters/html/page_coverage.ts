import { COVERAGE_KINDS, type Coverage, type CoverageKind, uncovered } from "../../../agent/analysis/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";
import type { PageCoverage } from "../../web/mod.ts";

/** Plural names of the kinds of coverage. */
const WORDS: { readonly [Kind in CoverageKind]: string } = {
  node: "nodes",
  transition: "transitions",
  clause: "equation clauses",
  global: "global nodes",
  "go-back": "go-backs",
  choice: "choices",
};

/** The coverage section of the page: the counts, and uncovered items with the shortest call to them. */
export function coverageOf(graph: AgentGraph, coverage: Coverage): PageCoverage {
  const { counts, calls } = coverage;
  const kinds = COVERAGE_KINDS.filter((kind) => counts[kind].total > 0);
  const missing = uncovered(graph, coverage).map((each) => ({
    kind: each.item.kind,
    text: each.item.name,
    ...(each.kind === "found" ? { way: each.words } : { reason: each.reason }),
  }));
  return {
    calls,
    totals: kinds.map((kind) => ({ what: WORDS[kind], ...counts[kind] })),
    missing,
  };
}
