import type { TurnState } from "./state.ts";

/** Adds the model's answer to the conversation. Text next to tool calls is kept but not spoken. */
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
