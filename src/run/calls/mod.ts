export { matchScenario, type ScenarioMatcher } from "./cluster/mod.ts";
export { checkFinishedCall } from "./finished_call.ts";
export { identityOf, storeCalls, unknownAgent } from "./import/mod.ts";
export { CALL_LANGUAGES } from "./personal/mod.ts";
export * from "./public.ts";
export { CALL_FORMATS, type RecordPlace, readRecords } from "./read/mod.ts";
