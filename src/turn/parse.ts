import type { TurnState } from "./state.ts";

/** Puts the model's answer into the conversation; what it says beside tool calls is kept, but never spoken. */
export function parse(state: TurnState): void {
  const { text, toolCalls } = state.reply;
  if (toolCalls.length === 0) return;
  if (text.trim()) state.events.onUnspoken(text);
  state.messages.push({
    role: "assistant",
    content: [
      ...(text.trim() ? [{ type: "text" as const, text }] : []),
      ...toolCalls.map((call) => ({
        type: "tool-call" as const,
        toolCallId: call.id,
        toolName: call.name,
        input: call.arguments,
      })),
    ],
  });
}
