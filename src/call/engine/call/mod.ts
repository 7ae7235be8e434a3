export {
  type CallState,
  currentNode,
  end,
  evaluatedMetadata,
  expanded,
  type Listeners,
  type NodeReplyAhead,
  type RetryEvent,
  record,
  type TokenEvent,
  type ToolEvent,
  type TranscriptEvent,
  type TurnMode,
} from "./call_state.ts";
export { isSpent, modelOptions } from "./model_options.ts";
export { parseSnapshot } from "./parse_snapshot.ts";
export { type ConversationSnapshot, takeSnapshot } from "./snapshot.ts";
export { recordToolCall } from "./tool_record.ts";
export {
  replyRequested,
  startTimer,
  stopTimer,
  timed,
  tokenArrived,
  tokensUnspoken,
  toolsAnswered,
  wordsHeard,
} from "./turn_timer.ts";
