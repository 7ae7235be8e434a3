export { percentOf, reachableCounts } from "./call_targets.ts";
export { type CoverageMark, type CoverageMarks, coverageMarks } from "./coverage_marks.ts";
export { COVERAGE_RULE } from "./merge_coverage.ts";
export * from "./public.ts";
export { COVERAGE_KINDS } from "./targets.ts";
