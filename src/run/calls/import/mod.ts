export { identityOf } from "./identity.ts";
export { importCalls, storeCalls } from "./import_calls.ts";
export type { CallRedactor, ImportCallsOptions, ImportCounts, ImportReport } from "./import_options.ts";
export { IMPORT_RULES } from "./import_options.ts";
export { unknownAgent } from "./unknown_agent.ts";
