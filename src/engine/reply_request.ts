import type { ModelMessage } from "ai";
import type { AgentNode } from "../graph/mod.ts";
import { EVENTS, type HistoryLine, type Note, RESPOND_INSTRUCTIONS, type RespondInput } from "../models/mod.ts";
import { type CallState, expanded } from "./call_state.ts";
import { historyOf, lastIndexOf } from "./history.ts";

/** The parts of a reply request that depend on the node. */
export interface NodeRequest {
  readonly instructions: string;
  readonly notes: readonly Note[];
  readonly input: RespondInput;
  readonly messages: ModelMessage[];
}

/** The reply request for a node, from the current state of the call. */
export function replyRequest(state: CallState, node: AgentNode): NodeRequest {
  const general = expanded(state, state.graph.source_metadata.general_prompt);
  const prompt = expanded(state, node.state_prompt);
  const lastUser = lastIndexOf(state.transcript, "user");
  const history = historyOf(state.transcript);
  return {
    instructions: [RESPOND_INSTRUCTIONS, general, prompt].filter(Boolean).join("\n\n"),
    input: {
      general_instructions: general,
      state_instructions: prompt,
      conversation_history: historyOf(state.transcript.filter((_, index) => index !== lastUser)),
      user_message: state.transcript[lastUser]?.content ?? "",
    },
    notes: notesOf(history),
    messages: messagesOf(history),
  };
}

/** Tool results as notes, each with the number of caller messages before it. */
function notesOf(history: readonly HistoryLine[]): Note[] {
  let heard = 0;
  return history.flatMap(({ role, content }): Note[] => {
    if (role === "user") heard += 1;
    return role === "tool" ? [{ after_caller_line: heard, tool: content }] : [];
  });
}

/**
 * The conversation as chat messages. They start with a caller message, as some providers require, and end with one,
 * because models answer the last message. No message is empty, which some providers reject.
 */
function messagesOf(history: readonly HistoryLine[]): ModelMessage[] {
  const messages = history.flatMap(({ role, content }): ModelMessage[] => {
    if (role === "user") return [{ role, content: content.trim() ? content : EVENTS.silence }];
    return role === "assistant" && content.trim() ? [{ role, content }] : [];
  });
  if (messages[0]?.role !== "user") messages.unshift({ role: "user", content: EVENTS.connected });
  if (messages.at(-1)?.role === "assistant") messages.push({ role: "user", content: EVENTS.goOn });
  return messages;
}
