import type { ConversationSnapshot } from "../../call/engine/mod.ts";
import type { ChatListeners } from "./message_lines.ts";
import type { Said } from "./session.ts";

/** A line that a command prints; details are indented. */
export interface OutputLine {
  readonly text: string;
  readonly depth: number;
  /** A character before the text. */
  readonly mark?: string;
}

/** Displays a chat. */
export interface ChatView extends ChatListeners {
  /** Shows the settings of the call. */
  readonly started: (header: ChatHeader) => void;
  /** Shows the caller's words if they were not typed on the screen. */
  readonly heard: (words: string) => void;
  /** Shows how a turn ended. */
  readonly turned: (said: Said, state: ConversationSnapshot) => void;
  /** Shows the output of a command. */
  readonly answered: (command: string, lines: readonly OutputLine[]) => void;
  /** Shows an error; the chat continues. */
  readonly failed: (error: unknown, advice?: string) => void;
  /** Shows a message about something outside the call, such as a reload. */
  readonly noted: (text: string) => void;
}

/** The settings of a chat. */
export interface ChatHeader {
  readonly agent: string;
  readonly model: string;
  readonly offline: boolean;
  readonly nodeId: string;
}

/** How a call ended, in words. */
export function endText({ endReason, endDetail }: ConversationSnapshot): string {
  return `call ended: ${endReason ?? "unknown"}${endDetail ? ` (${endDetail})` : ""}`;
}
