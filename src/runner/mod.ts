export { checkedCall, resultVariables } from "./checked_call.ts";
export { createLimits as sharedLimits } from "./limit_models.ts";
export { planDocument } from "./plan_document.ts";
export { namesIn, platformValues } from "./platform_values.ts";
export { prepareRun } from "./prepare_run.ts";
export * from "./public.ts";
export { heldRun } from "./run.ts";
export { cancelledResult, runScenario } from "./run_scenario.ts";
export type { PastCall, ReplayedCall, RunVariant } from "./run_variant.ts";
