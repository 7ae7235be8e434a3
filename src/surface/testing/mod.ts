export { assertEndsWith, assertExtracts, assertVisits } from "./assertions.ts";
export type { CallCheck } from "./check_call.ts";
export { type CallMatchers, matchers } from "./matchers.ts";
export { type TestScenariosOptions, testScenarios } from "./test_scenarios.ts";
