import type { Message } from "../../../document/transcript/mod.ts";
import type { HistoryLine } from "../../models/mod.ts";

/** The messages that models see: speech and tool results, without transitions. */
export function historyOf(messages: readonly Message[]): HistoryLine[] {
  const lines: HistoryLine[] = [];
  for (const { role, content, metadata } of messages) {
    if (role === "system" || (role === "tool" && metadata.kind !== "tool_call")) continue;
    lines.push({ role, content });
  }
  return lines;
}

/** Index of the last message of a role, or -1. */
export function lastIndexOf(messages: readonly Pick<Message, "role">[], role: Message["role"]): number {
  return messages.findLastIndex((message) => message.role === role);
}
