// The names of this folder that the package exports.
export { type CompareWeeksOptions, compareWeeks } from "./compare_weeks.ts";
export type {
  Measure,
  MeasureDrop,
  MeasureKind,
  MeasureRate,
  ProductionComparison,
  TimeSpan,
  WatchedCall,
  WatchedOutcome,
  WatchProblem,
  WatchReport,
  WatchState,
} from "./types.ts";
export { type WatchCallsOptions, watchCalls } from "./watch_calls.ts";
