export { Journal } from "./journal.ts";
export { LostDatabaseError, RestorableDatabase } from "./restorable.ts";
export { ResultSpool } from "./result_spool.ts";
export { SpoolFile } from "./spool_file.ts";
export { spoolFolders } from "./spool_folders.ts";
export { SpoolRecovery } from "./spool_recovery.ts";
export { spoolWarnings } from "./spool_warnings.ts";
