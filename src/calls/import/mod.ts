export { identityOf } from "./identity.ts";
export { importCalls, storeCalls } from "./import_calls.ts";
export type { CallRedactor, ImportCallsOptions, ImportCounts, ImportReport } from "./import_options.ts";
