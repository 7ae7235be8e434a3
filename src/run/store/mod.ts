export { RESULT_STATUSES } from "../../document/transcript/mod.ts";
export { readLabels, writeLabels } from "./copy_labels.ts";
export { type Database, DEFAULT_FILE, isServer, openDatabase } from "./database/mod.ts";
export { mergeWithIds } from "./merge_runs.ts";
export * from "./public.ts";
export { createIdSource, idFromBytes } from "./repositories.ts";
export { redactedResult } from "./rows/mod.ts";
export { spoolWarnings } from "./spool/mod.ts";
