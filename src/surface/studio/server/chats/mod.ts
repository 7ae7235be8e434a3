export { type ChatBeginning, type Chats, createChats, type PrepareChat } from "./chats.ts";
export type { ConnectedBeginning } from "./connected_chat.ts";
