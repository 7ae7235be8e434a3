export { scenarioFromCall } from "./scenario_from_call.ts";
export type { CallFact, ScenarioFromCall, ScenarioFromCallOptions } from "./types.ts";
