export { haveAllPassed } from "./have_all_passed.ts";
export { plannedIn } from "./planned_in.ts";
export { countStatuses, type PlannedScenario, type ScenarioSummary, summarise } from "./summarise.ts";
