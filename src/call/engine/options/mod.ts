export {
  type CallbackGuard,
  type Clocks,
  type ConversationOptions,
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
} from "./conversation_options.ts";
export { callableGraph, checkConversationOptions, checkWords, startCall, throwFailure } from "./start_call.ts";
