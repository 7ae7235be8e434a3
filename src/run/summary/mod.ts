export { type CallerRate, type CallerTable, callerTable } from "./caller_table.ts";
export {
  type MissingOptions,
  missingIn,
  missingInResults,
  namesInSet,
  plannedIn,
  type ResultSource,
  standingOf,
} from "./missing.ts";
export {
  countStatuses,
  haveAllPassed,
  type PlannedScenario,
  type ScenarioSummary,
  summarise,
  summariseCounts,
} from "./summarise.ts";
