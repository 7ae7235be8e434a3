export { generateCommand } from "./generate.ts";
export { scenarioText } from "./scenario_text.ts";
