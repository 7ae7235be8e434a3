import type { AgentNode } from "../../../document/graph/mod.ts";
import {
  type ChatMessage,
  EVENTS,
  type HistoryLine,
  type Note,
  RESPOND_INSTRUCTIONS,
  type RespondInput,
} from "../../models/mod.ts";
import { type CallState, expanded } from "../call/mod.ts";
import { historyOf, lastIndexOf } from "./history.ts";

/** The parts of a reply request that depend on the node. */
export interface NodeRequest {
  readonly instructions: string;
  readonly notes: readonly Note[];
  readonly input: RespondInput;
  readonly messages: ChatMessage[];
}

/** The reply request for a node, from the current state of the call. */
export function replyRequest(state: CallState, node: AgentNode): NodeRequest {
  const general = expanded(state, state.graph.source_metadata.general_prompt);
  const prompt = expanded(state, node.state_prompt);
  const history = historyOf(state.transcript);
  const lastUser = lastIndexOf(history, "user");
  return {
    instructions: [RESPOND_INSTRUCTIONS, general, prompt].filter(Boolean).join("\n\n"),
    input: {
      general_instructions: general,
      state_instructions: prompt,
      conversation_history: lastUser < 0 ? history : history.toSpliced(lastUser, 1),
      user_message: history[lastUser]?.content ?? "",
    },
    notes: notesOf(history),
    messages: messagesOf(history),
  };
}

/** Tool results as notes, each with the number of caller messages before it. */
function notesOf(history: readonly HistoryLine[]): Note[] {
  const notes: Note[] = [];
  let heard = 0;
  for (const { role, content } of history) {
    if (role === "user") heard += 1;
    if (role === "tool") notes.push({ after_caller_line: heard, tool: content });
  }
  return notes;
}

/**
 * The conversation as chat messages. They start with a caller message, as some providers require, and end with one,
 * because models answer the last message. No message is empty, which some providers reject.
 */
function messagesOf(history: readonly HistoryLine[]): ChatMessage[] {
  const messages: ChatMessage[] = [];
  for (const { role, content } of history) {
    if (role === "user") messages.push({ role, content: content.trim() ? content : EVENTS.silence });
    if (role === "assistant" && content.trim()) messages.push({ role, content });
  }
  if (messages[0]?.role !== "user") messages.unshift({ role: "user", content: EVENTS.connected });
  if (messages.at(-1)?.role === "assistant") messages.push({ role: "user", content: EVENTS.goOn });
  return messages;
}
