export { type CallbackGuard, createCallbackGuard, isTime } from "./callback_guard.ts";
export { throwFailure } from "./conversation_callbacks.ts";
export { callableGraph, checkConversationOptions, checkWords } from "./conversation_input.ts";
export {
  type Clocks,
  type ConversationOptions,
  DEFAULT_TURN_CALLS,
  priced,
  type SharedOptions,
} from "./conversation_options.ts";
export { LIMITS, LISTENERS, MODELS, REQUESTS, type RulesFor, SHARED_OPTIONS } from "./option_rules.ts";
export { startCall } from "./start_call.ts";
