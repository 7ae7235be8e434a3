export type { Listeners, TurnMode } from "./call_state.ts";
export { Conversation, conversation, type Turn } from "./conversation.ts";
export { type ConversationOptions, DEFAULT_BUDGET, priced } from "./conversation_options.ts";
export { equationHolds, evaluateEquation } from "./equations.ts";
export { MOST_HOPS } from "./move.ts";
export { takesArguments } from "./silent_work.ts";
export { expandPrompt, type TemplateValues } from "./templates.ts";
export { textOf } from "./values.ts";
