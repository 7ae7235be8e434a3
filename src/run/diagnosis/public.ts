export { diagnose } from "./diagnose.ts";
export { applyChanges, type ProposedChange } from "./proposed_change.ts";
export type {
  DiagnoseOptions,
  Diagnosis,
  FailedResult,
  FailureFact,
  FaultPlace,
  GraphQuote,
  RefusedChange,
  TranscriptQuote,
} from "./types.ts";
export {
  type AffectedComparison,
  type FailingComparison,
  type MeasuredTrials,
  type Repair,
  type RepairEvent,
  type RepairLimits,
  type RepairOptions,
  type RepairOutcome,
  type RepairTry,
  repair,
} from "./verify/mod.ts";
