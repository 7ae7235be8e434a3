export { LostDatabaseError, RestorableDatabase, SpoolRecovery } from "./recover.ts";
export { ResultSpool, spoolWarnings } from "./result_spool.ts";
export { Journal, SpoolFile, spoolFolders } from "./spool_file.ts";
