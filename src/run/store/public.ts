export type { OpenStoreOptions } from "./database/mod.ts";
export { type MergedRun, mergeRuns } from "./merge_runs.ts";
export { openStore } from "./open.ts";
export { openRecordings, type RecordingDatabase } from "./recordings.ts";
export type {
  Baseline,
  CriterionCounts,
  FollowedPath,
  ModelNames,
  NewResult,
  NewRun,
  ResultDetails,
  ResultRecord,
  ResultStatus,
  ResultSummary,
  RunKind,
  RunPart,
  RunRecord,
  ScenarioCounts,
} from "./records.ts";
export type {
  Page,
  Recovery,
  ResultQuery,
  RunQuery,
  Store,
  StoredRun,
  StoreStatus,
  WaitOptions,
} from "./types.ts";
