export { type CoverageMark, type CoverageMarks, coverageMarks } from "./coverage_marks.ts";
export { COVERAGE_RULE } from "./coverage_rule.ts";
export * from "./public.ts";
export { percentOf, reachableCounts } from "./reachable_counts.ts";
export { COVERAGE_KINDS } from "./targets.ts";
