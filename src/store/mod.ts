export { createIdSource } from "./_ids.ts";
export { DEFAULT_FILE } from "./_location.ts";
export { openStore } from "./open.ts";
export type { OpenStoreOptions } from "./open_options.ts";
export { openRecordings, type RecordingDatabase } from "./recordings.ts";
export { redactedResult } from "./redacted.ts";
export { spoolWarnings } from "./spool_warnings.ts";
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
