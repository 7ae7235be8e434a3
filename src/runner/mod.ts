export { compareTurns, type TurnComparison, type TurnDisagreement, type TurnOutcome } from "./compare_turns.ts";
export { type Estimate, type EstimatedUsage, estimate } from "./estimate.ts";
export { CallbackError } from "./guarded_callbacks.ts";
export type { ResultPlace, RunEvent, RunListeners, RunOptions, RunRequestOptions } from "./options.ts";
export type { CallPlace } from "./platform_values.ts";
export { type RunReport, reportOf, type StorageReport } from "./report.ts";
export type { CallRange, CountedUsage, EstimateOptions, Range } from "./role_bounds.ts";
export { run } from "./run.ts";
export type { Slot } from "./slot.ts";
