export { type Budget, type Exceeded, exceededLimit, type Limits, type Spent, startSpending } from "./budget.ts";
export { runTurn } from "./run_turn.ts";
export type { ExecutedCall, TurnEvents, TurnOutcome, TurnState } from "./state.ts";
export { createSteeringQueue, type SteeringQueue } from "./steering.ts";
export {
  answerToolCall,
  mockedOutcome,
  type ToolAnswer,
  type ToolImplementation,
  type ToolSources,
  valueAt,
} from "./tool_answer.ts";
