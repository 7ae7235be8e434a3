export type { Listeners, TurnMode } from "./call_state.ts";
export { type CallbackGuard, createCallbackGuard, isTime } from "./callback_guard.ts";
export { Conversation, conversation, type Turn } from "./conversation.ts";
export { callableGraph } from "./conversation_input.ts";
export { type ConversationOptions, DEFAULT_TURN_CALLS, priced, startVariables } from "./conversation_options.ts";
export { MOST_HOPS } from "./move.ts";
export { CALL_SETTINGS, type RulesFor, SHARED_OPTIONS } from "./option_rules.ts";
export { takesArguments } from "./silent_work.ts";
