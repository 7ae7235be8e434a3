export type { Listeners, TurnMode } from "./call_state.ts";
export { type CallbackGuard, createCallbackGuard, isTime } from "./callback_guard.ts";
export { Conversation, conversation } from "./conversation.ts";
export { callableGraph } from "./conversation_input.ts";
export {
  type Clocks,
  type ConversationOptions,
  DEFAULT_TURN_CALLS,
  priced,
  type SharedOptions,
  startVariables,
} from "./conversation_options.ts";
export { LISTENERS, MODELS, MOVED_OPTIONS, REQUESTS, type RulesFor, SHARED_OPTIONS } from "./option_rules.ts";
export type { ConversationSnapshot } from "./snapshot.ts";
export type { Turn } from "./turn.ts";
