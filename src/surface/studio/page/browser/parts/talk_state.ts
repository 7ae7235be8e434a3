import type { StudioChat, StudioChatEvent } from "../../../api/mod.ts";

/** A chat as the page shows it: between two turns, or while a reply comes. */
export interface TalkState {
  readonly chat: StudioChat;
  /** Words that the caller has sent and the chat does not have yet. */
  readonly sent?: string;
  /** What has come of the reply. */
  readonly reply: string;
  /** Events of the turn that have come. */
  readonly news: readonly string[];
  readonly error?: Error;
}

/** What an event of a reply makes of the state. */
export function nextState(state: TalkState, event: StudioChatEvent): TalkState {
  switch (event.type) {
    case "token":
      return { ...state, reply: state.reply + event.text };
    case "retry":
      return { ...state, reply: "" };
    case "message":
      // the reply as it was streamed is this message
      if (event.message.role === "assistant")
        return { ...state, reply: "", news: [...state.news, event.message.content] };
      return event.message.role === "tool" ? { ...state, news: [...state.news, event.message.content] } : state;
    case "variables":
      return state;
    case "turn":
      return { chat: event.chat, reply: "", news: [] };
    case "error":
      // the turn changed nothing
      return {
        chat: state.chat,
        reply: "",
        news: [],
        error: Object.assign(new Error(event.message), { code: event.code, hint: event.hint }),
      };
  }
}
