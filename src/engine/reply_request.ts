import type { ModelMessage } from "ai";
import type { AgentNode } from "../graph/mod.ts";
import { type HistoryLine, RESPOND_INSTRUCTIONS, type RespondInput } from "../models/mod.ts";
import { type CallState, expanded } from "./call_state.ts";
import { historyOf, lastIndexOf } from "./history.ts";

/** What a node's reply is asked for with. */
export interface NodeRequest {
  readonly instructions: string;
  readonly input: RespondInput;
  readonly messages: ModelMessage[];
}

/** The respond call of a node as the call stands now. */
export function replyRequest(state: CallState, node: AgentNode): NodeRequest {
  const general = expanded(state, state.graph.source_metadata.general_prompt);
  const prompt = expanded(state, node.state_prompt);
  const lastUser = lastIndexOf(state.transcript, "user");
  return {
    instructions: [RESPOND_INSTRUCTIONS, general, prompt].filter(Boolean).join("\n\n"),
    input: {
      general_instructions: general,
      state_instructions: prompt,
      conversation_history: historyOf(state.transcript.filter((_, index) => index !== lastUser)),
      user_message: state.transcript[lastUser]?.content ?? "",
    },
    messages: messagesOf(historyOf(state.transcript)),
  };
}

const CONNECTED = "(The call is connected. You speak first.)";

/**
 * A call's lines as chat messages. They begin with somebody else's words, as some providers ask for, and end with them:
 * models answer the last one. No line is empty, which others refuse.
 */
function messagesOf(history: readonly HistoryLine[]): ModelMessage[] {
  const messages: ModelMessage[] = history.map(({ role, content }) =>
    role === "tool"
      ? { role: "user", content: `(Tool, not heard by the caller: ${content})` }
      : { role, content: content.trim() ? content : "(Silence.)" },
  );
  if (messages[0]?.role !== "user") messages.unshift({ role: "user", content: CONNECTED });
  if (messages.at(-1)?.role === "assistant") messages.push({ role: "user", content: "(Go on.)" });
  return messages;
}
