export { type Entered, enterLine, openChat } from "./chat_loop.ts";
export { type ChatStart, chatScenario, type SavedChat } from "./chat_scenario.ts";
export { refusedAction } from "./commands.ts";
export { completeLine } from "./complete.ts";
export { type Chat, followAgent } from "./follow_agent.ts";
export { type ChatListeners, messageLine, type VariableChange, variableLine } from "./message_lines.ts";
export { type ChatSettings, type PreparedChat, prepareChat } from "./prepare_chat.ts";
export { ChatSession, type Said } from "./session.ts";
export { type ChatHeader, type ChatView, endText, type OutputLine } from "./view.ts";
