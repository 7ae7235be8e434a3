export { DEFAULT_FILE, type OpenStoreOptions } from "./database/mod.ts";
export { createIdSource } from "./ids.ts";
export { openStore } from "./open.ts";
export { openRecordings, type RecordingDatabase } from "./recordings.ts";
export { redactedResult } from "./rows/mod.ts";
export { spoolWarnings } from "./spool/mod.ts";
export {
  type ModelNames,
  type NewResult,
  type NewRun,
  type Page,
  RESULT_STATUSES,
  type Recovery,
  type ResultQuery,
  type ResultRecord,
  type ResultStatus,
  type ResultSummary,
  RUN_KINDS,
  type RunKind,
  type RunQuery,
  type RunRecord,
  type Store,
  type StoredRun,
  type StoreStatus,
  type WaitOptions,
} from "./types.ts";
