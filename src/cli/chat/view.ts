import type { ConversationSnapshot } from "../../engine/mod.ts";
import type { ChatListeners } from "./chat_listeners.ts";
import type { Said } from "./session.ts";

/** A line that a command prints; details are indented below what they belong to. */
export interface OutputLine {
  readonly text: string;
  readonly depth: number;
  /** A character before the text. */
  readonly mark?: string;
}

/** Shows a chat. */
export interface ChatView extends ChatListeners {
  /** Shows what the call is held with. */
  readonly started: (header: ChatHeader) => void;
  /** Shows the caller's words, where they were not typed on the screen. */
  readonly heard: (words: string) => void;
  /** Shows how a turn has ended. */
  readonly turned: (said: Said, state: ConversationSnapshot) => void;
  /** Shows what a command has done or found. */
  readonly answered: (command: string, lines: readonly OutputLine[]) => void;
  /** Shows an error; the chat goes on. */
  readonly failed: (error: unknown, advice?: string) => void;
  /** Shows something that happened beside the call. */
  readonly noted: (text: string) => void;
}

/** What a chat is held with. */
export interface ChatHeader {
  readonly agent: string;
  readonly model: string;
  readonly offline: boolean;
  readonly nodeId: string;
}

/** How a call has ended, in words. */
export function endText({ endReason, endDetail }: ConversationSnapshot): string {
  return `call ended: ${endReason ?? "unknown"}${endDetail ? ` (${endDetail})` : ""}`;
}

/** Said wherever results of the offline model are shown. */
export const OFFLINE_NOTE =
  "offline model: it follows fixed rules, and shows that the flow runs, not how well it talks; a real model: --model, or OPENAI_API_KEY";
