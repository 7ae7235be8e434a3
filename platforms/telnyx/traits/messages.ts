import type { JsonObject } from "../../../src/base/values/mod.ts";

/** The messages of a conversation, the oldest first. The order of the list is not documented. */
export function inOrder(messages: readonly JsonObject[]): readonly JsonObject[] {
  const timed = messages.map((message) => ({ message, at: Date.parse(String(message.created_at)) }));
  if (timed.some(({ at }) => Number.isNaN(at))) return messages;
  const [first, last] = [timed[0], timed.at(-1)];
  // messages of the same moment keep their order
  const isReversed = first !== undefined && last !== undefined && first.at > last.at;
  return (isReversed ? timed.toReversed() : timed)
    .toSorted((one, other) => one.at - other.at)
    .map(({ message }) => message);
}

/** The text of a message. The types name it `text`. */
export function wordsOf({ text, content }: JsonObject): string {
  return [text, content].find((each) => typeof each === "string" && each.trim() !== "")?.toString() ?? "";
}
