export { checkGraph } from "./check_graph.ts";
export { checkScenarios } from "./check_scenarios.ts";
export { knownVariables } from "./known_variables.ts";
