export { findEvidence } from "./evidence.ts";
export { checkExpectations } from "./expectation.ts";
export type { FinishedCall } from "./finished_call.ts";
export { checkFlow } from "./flow.ts";
export { judgeMetrics } from "./metric.ts";
export { runOwnChecks } from "./own_check.ts";
export { compilePattern, type Pattern } from "./pattern.ts";
export { placeOf } from "./quote.ts";
export { checkTexts } from "./rule.ts";
