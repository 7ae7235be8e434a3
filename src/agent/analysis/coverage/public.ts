export type { EvaluatedEquation, RecordedMove } from "../../../document/transcript/mod.ts";
export { type CoverageOptions, coverage } from "./coverage.ts";
export type { Coverage, CoverageCount, CoverageItem } from "./coverage_marks.ts";
export { mergeCoverage } from "./merge_coverage.ts";
export type { CoverageKind, CoverageTarget, NamedTarget } from "./targets.ts";
export { type UncoveredItem, uncovered } from "./uncovered.ts";
