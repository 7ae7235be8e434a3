import type { HistoryLine } from "../models/mod.ts";
import type { Message } from "../transcript/mod.ts";

/** The lines of a transcript that models see: what was said, and what tools answered; not how the call was routed. */
export function historyOf(messages: readonly Message[]): HistoryLine[] {
  return messages.flatMap(({ role, content, metadata }): HistoryLine[] => {
    if (role === "system" || (role === "tool" && metadata.kind !== "tool_call")) return [];
    return [{ role, content }];
  });
}

/** Index of the last line of a role, or -1. */
export function lastIndexOf(messages: readonly Message[], role: Message["role"]): number {
  return messages.findLastIndex((message) => message.role === role);
}
