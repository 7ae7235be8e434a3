import type { Message } from "./call.ts";

/** A reply that the caller has cut off. */
export interface CutReply {
  /** The words that the caller did not hear. */
  readonly unheard: string;
  /** Places of the messages that nobody heard a word of, in the transcript before. */
  readonly removed: readonly number[];
}

/**
 * Cuts the agent's last reply after a number of words: the transcript keeps what was heard. Messages without a heard word
 * are removed; tool calls and transitions stay, because they have happened.
 *
 * @returns `undefined` if the reply has no more words than that: it was over before.
 */
export function cutReply(transcript: Message[], words: number): CutReply | undefined {
  const since = transcript.findLastIndex(({ role }) => role === "user") + 1;
  let left = words;
  const unheard: string[] = [];
  const removed: number[] = [];
  for (const [at, message] of transcript.entries()) {
    if (at < since || message.role !== "assistant") continue;
    const said = message.content.trim().split(/\s+/).filter(Boolean);
    if (said.length <= left) {
      left -= said.length;
      continue;
    }
    unheard.push(said.slice(left).join(" "));
    const heard = said.slice(0, left).join(" ");
    left = 0;
    if (heard === "") removed.push(at);
    else transcript[at] = { ...message, content: `${heard}…`, metadata: { ...message.metadata, interrupted: true } };
  }
  if (unheard.length === 0) return undefined;
  for (const at of removed.toReversed()) transcript.splice(at, 1);
  return { unheard: unheard.join(" "), removed };
}

/** The words of an interruption in a transcript, as those of imported calls. */
export const INTERRUPTS = "the caller interrupts";
