export { haveAllPassed } from "./have_all_passed.ts";
export { type MissingOptions, missingIn, missingInResults, namesInSet } from "./missing.ts";
export { plannedIn } from "./planned_in.ts";
export { countStatuses, type PlannedScenario, type ScenarioSummary, summarise } from "./summarise.ts";
export { type ResultSource, standingOf } from "./wholeness.ts";
