export {
  type Budget,
  type BudgetLimits,
  count,
  exceededLimit,
  exceededText,
  type Spent,
  startSpending,
} from "./budget.ts";
export type { CallLimits } from "./call_limits.ts";
export { valueAtJsonPath } from "./json_path.ts";
export type { LiveTools } from "./live_tool.ts";
export { Mocks } from "./mocks.ts";
export { MOST_NUDGES } from "./reconcile.ts";
export type { RecordedTools, ToolAnswer, UnmatchedTools } from "./recorded_tools.ts";
export { runTurn } from "./run_turn.ts";
export type { ExecutedCall, ReplyAhead, TurnState } from "./state.ts";
export { createSteeringQueue, type SteeringQueue } from "./steering.ts";
export { answerToolCall, resultText, type ToolSources } from "./tool_answer.ts";
