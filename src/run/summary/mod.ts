export {
  type MissingOptions,
  missingIn,
  missingInResults,
  namesInSet,
  plannedIn,
  type ResultSource,
  standingOf,
} from "./missing.ts";
export { countStatuses, haveAllPassed, type PlannedScenario, type ScenarioSummary, summarise } from "./summarise.ts";
