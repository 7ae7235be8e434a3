export type { ResultStatus } from "../../document/transcript/mod.ts";
export type { OpenStoreOptions } from "./database/mod.ts";
export { type MergedRun, mergeRuns } from "./merge_runs.ts";
export { openStore } from "./open.ts";
export { openRecordings, type RecordingDatabase } from "./recordings.ts";
export type {
  Baseline,
  CallerOfResult,
  CallLabel,
  CriterionCounts,
  FollowedPath,
  JudgedResult,
  ModelNames,
  NewResult,
  NewRun,
  ResultDetails,
  ResultRecord,
  ResultSummary,
  RunKind,
  RunPart,
  RunRecord,
  ScenarioCounts,
  StoredCounts,
} from "./records.ts";
export type {
  JudgedQuery,
  Page,
  Recovery,
  ResultQuery,
  RunQuery,
  Store,
  StoredRun,
  StoreStatus,
  WaitOptions,
} from "./types.ts";
