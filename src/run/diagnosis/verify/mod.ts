export type { RepairLimits } from "./limits.ts";
export { DEFAULT_ITERATIONS, DEFAULT_REPEATS, repair } from "./repair.ts";
export type {
  AffectedComparison,
  FailingComparison,
  MeasuredTrials,
  Repair,
  RepairEvent,
  RepairOptions,
  RepairOutcome,
  RepairTry,
} from "./types.ts";
