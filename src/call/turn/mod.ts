export {
  type Budget,
  type BudgetLimits,
  type CallLimits,
  count,
  exceededLimit,
  exceededText,
  type Spent,
  startSpending,
} from "./budget.ts";
export type { LiveTools } from "./live_tool.ts";
export {
  createSteeringQueue,
  type ExecutedCall,
  MOST_NUDGES,
  type ReplyAhead,
  runTurn,
  type SteeringQueue,
  type TurnState,
} from "./run_turn.ts";
export {
  answerToolCall,
  Mocks,
  type RecordedTools,
  resultText,
  type ToolAnswer,
  type ToolSources,
  type UnmatchedTools,
  valueAtJsonPath,
} from "./tool_answer.ts";
export {
  type CallToolState,
  copyToolState,
  mergePatch,
  startToolState,
  type ToolStateSource,
} from "./tool_state.ts";
