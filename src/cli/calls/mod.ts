export { callsImportCommand } from "./import.ts";
export { callsToScenarioCommand } from "./to_scenario.ts";
