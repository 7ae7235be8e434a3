export type {
  ConversationSnapshot,
  Listeners,
  RetryEvent,
  TokenEvent,
  ToolEvent,
  TranscriptEvent,
  TurnMode,
} from "./call/mod.ts";
export { Conversation, conversation, type Turn } from "./conversation.ts";
export {
  type CallbackGuard,
  type Clocks,
  type ConversationOptions,
  callableGraph,
  createCallbackGuard,
  DEFAULT_TURN_CALLS,
  isTime,
  LIMITS,
  LISTENERS,
  MODELS,
  priced,
  REQUESTS,
  type RulesFor,
  SHARED_OPTIONS,
  type SharedOptions,
} from "./options/mod.ts";
