export { findEvidence } from "./evidence.ts";
export { checkExpectations } from "./expectation.ts";
export { checkFlow } from "./flow.ts";
export type { HeldCall } from "./held_call.ts";
export { judgeMetrics } from "./metric.ts";
export { runOwnChecks } from "./own_check.ts";
export { compilePattern, type Pattern } from "./pattern.ts";
export { placeOf } from "./quote.ts";
export { checkTexts } from "./rule.ts";
