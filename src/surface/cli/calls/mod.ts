export { callsClusterCommand } from "./cluster.ts";
export { callsImportCommand, pseudonymsOf, REDACT_FLAGS } from "./import.ts";
export { addressOf, ageIn, callsPullCommand, platformOf, STATE, stateFile } from "./pull.ts";
export { callsToScenarioCommand } from "./to_scenario.ts";
