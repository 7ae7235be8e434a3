export type { FlowJudgement } from "../../call/judges/mod.ts";
export type { TelemetryOptions, TelemetryTracer } from "../../call/telemetry/mod.ts";
export { compareTurns, type TurnComparison, type TurnDisagreement, type TurnOutcome } from "./compare_turns.ts";
export type { CallRange, CountedUsage, EstimateOptions, Range } from "./estimate/mod.ts";
export { type Estimate, type EstimatedUsage, estimate } from "./estimate/mod.ts";
export { type OpenRun, openRun, type ScenarioRun } from "./open_run.ts";
export type {
  AuditMode,
  CallFeed,
  CallQueue,
  ConnectionOptions,
  JudgingOptions,
  QueuedCall,
  QueuedEnd,
  QueuedRun,
  RepeatOptions,
  ResultEvent,
  ResultPlace,
  RunEvent,
  RunLimits,
  RunListeners,
  RunModels,
  RunOptions,
  RunRequestOptions,
  SharingOptions,
  TrialAttempt,
  VarianceOptions,
} from "./options.ts";
export { CallbackError, type RunReport, reportOf, type StorageReport } from "./report.ts";
export { run } from "./run.ts";
