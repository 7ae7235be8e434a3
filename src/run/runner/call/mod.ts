export { inCallSpan, inJudgeSpan } from "./call_spans.ts";
export { checkedCall, resultVariables } from "./checked_call.ts";
export { knownPathOf, linesOn } from "./offline_path.ts";
export { renamed } from "./renamed.ts";
export type { EngineCall } from "./run_call.ts";
export { runScenarioCall } from "./run_scenario_call.ts";
export { callSettings, type ResolvedScenario, type RunContext, type RunSetup } from "./run_setup.ts";
export type { PastCall, ReplayedCall, RunVariant } from "./run_variant.ts";
export type { StartedCall } from "./started_call.ts";
