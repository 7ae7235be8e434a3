export { RESULT_STATUSES } from "../../document/transcript/mod.ts";
export { type Database, DEFAULT_FILE, isServer, openDatabase } from "./database/mod.ts";
export * from "./public.ts";
export { createIdSource, idFromBytes } from "./repositories.ts";
export { redactedResult } from "./rows/mod.ts";
export { spoolWarnings } from "./spool/mod.ts";
