export {
  type CallFact,
  type ScenarioFromCall,
  type ScenarioFromCallOptions,
  scenarioFromCall,
} from "./scenario_from_call.ts";
