export { generateScenarios } from "./generate_scenarios.ts";
export type {
  GeneratedScenario,
  GeneratedScenarios,
  GenerateOptions,
  UnshownTransition,
} from "./types.ts";
