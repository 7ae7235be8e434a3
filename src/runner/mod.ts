export { createLimits as sharedLimits } from "./limit_models.ts";
export { prepareRun } from "./prepare_run.ts";
export * from "./public.ts";
export { cancelledResult, runScenario } from "./run_scenario.ts";
