export { identityOf, importCalls, storeCalls, unknownAgent } from "./import_calls.ts";
export type { CallRedactor, ImportCallsOptions, ImportCounts, ImportReport } from "./import_options.ts";
export { IMPORT_RULES } from "./import_options.ts";
