export { generateScenarios } from "./generate_scenarios.ts";
export type {
  GeneratedScenario,
  GeneratedScenarios,
  GenerateOptions,
  ScenarioCall,
  UnreachableTransition,
  UnshownTransition,
} from "./types.ts";
