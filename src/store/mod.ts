export { DEFAULT_FILE, type OpenStoreOptions } from "./database/mod.ts";
export { createIdSource } from "./ids.ts";
export { openStore } from "./open.ts";
export { openRecordings, type RecordingDatabase } from "./recordings.ts";
export { redactedResult } from "./rows/mod.ts";
export { spoolWarnings } from "./spool/mod.ts";
export type {
  ModelNames,
  NewResult,
  NewRun,
  Page,
  Recovery,
  ResultQuery,
  ResultRecord,
  ResultStatus,
  ResultSummary,
  RunKind,
  RunQuery,
  RunRecord,
  Store,
  StoredRun,
  StoreStatus,
  WaitOptions,
} from "./types.ts";
