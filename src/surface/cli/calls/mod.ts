export { callsClusterCommand } from "./cluster.ts";
export { callsImportCommand } from "./import.ts";
export { callsPullCommand } from "./pull.ts";
export { callsToScenarioCommand } from "./to_scenario.ts";
