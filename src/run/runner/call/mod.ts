export { knownPathOf, linesOn } from "./caller.ts";
export { checkedCall, resultVariables } from "./checked_call.ts";
export { renamed } from "./renamed.ts";
export { type EngineCall, inCallSpan, inJudgeSpan, type StartedCall } from "./run_call.ts";
export { runScenarioCall } from "./run_scenario_call.ts";
export {
  type ConnectedRun,
  callSettings,
  type PastCall,
  type ReplayedCall,
  type ReplySharing,
  type ResolvedScenario,
  type RunContext,
  type RunSetup,
  type RunVariant,
  type SharedReplies,
} from "./run_setup.ts";
