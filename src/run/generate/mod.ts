export { generateScenarios } from "./generate_scenarios.ts";
export type {
  GeneratedScenario,
  GeneratedScenarios,
  GenerateOptions,
  ScenarioCall,
  UnshownTransition,
} from "./types.ts";
