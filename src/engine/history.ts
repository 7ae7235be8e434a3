import type { HistoryLine } from "../models/mod.ts";
import type { Message } from "../transcript/mod.ts";

/** The messages that models see: speech and tool results, without transitions. */
export function historyOf(messages: readonly Message[]): HistoryLine[] {
  return messages.flatMap(({ role, content, metadata }): HistoryLine[] => {
    if (role === "system" || (role === "tool" && metadata.kind !== "tool_call")) return [];
    return [{ role, content }];
  });
}

/** Index of the last message of a role, or -1. */
export function lastIndexOf(messages: readonly Message[], role: Message["role"]): number {
  return messages.findLastIndex((message) => message.role === role);
}
