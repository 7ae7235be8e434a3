// The names of this folder that the package exports.
export { compareRuns } from "./compare_runs.ts";
export { type ComparisonText, formatComparison } from "./format_comparison.ts";
export { type ComparisonOutcome, type ComparisonPolicy, judgeComparison } from "./policy.ts";
export type {
  ComparableRun,
  ComparedResult,
  ComparedRun,
  CriterionComparison,
  RateChange,
  RateComparison,
  RateSides,
  RunComparison,
  ScenarioComparison,
  SideCounts,
} from "./types.ts";
