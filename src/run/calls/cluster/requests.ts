import { createHash } from "node:crypto";
import { groupBy } from "../../../base/values/mod.ts";
import { type Scenario, wordsOnly } from "../../../document/scenario/mod.ts";
import type { Call, Message } from "../../../document/transcript/mod.ts";
import { callerLines, isCourtesy } from "../caller_lines.ts";
import { comparedWords } from "./words.ts";

/** Calls whose callers said the same. */
export interface Request {
  readonly text: string;
  /** Sorted. */
  readonly callIds: readonly string[];
}

/** Sentences of a scenario, to compare with groups. */
const MOST_SENTENCES = 30;

/**
 * What the callers wanted. The order depends on the texts alone and is shuffled, so that the first ones are a sample of
 * all.
 */
export function statedRequests(calls: readonly Required<Pick<Call, "id" | "transcript">>[]): {
  readonly requests: readonly Request[];
  readonly unclear: readonly string[];
} {
  const texts = calls.map(({ id, transcript }) => ({ id, text: wantedText(transcript) }));
  const clear = groupBy(
    texts.filter(({ text }) => text !== ""),
    ({ text }) => text,
  );
  const requests = [...clear].map(([text, same]) => ({
    place: createHash("sha256").update(text).digest("hex"),
    text,
    callIds: same.map(({ id }) => id).sort(),
  }));
  return {
    requests: requests.sort((a, b) => (a.place < b.place ? -1 : 1)).map(({ text, callIds }) => ({ text, callIds })),
    unclear: texts.filter(({ text }) => text === "").map(({ id }) => id),
  };
}

/** The sentences of a scenario's name, lines and persona. */
export function sentencesOf({ name, says, user_prompt: persona }: Scenario): readonly string[] {
  const texts = [name, ...wordsOnly(says), persona].flatMap((text) => text.split(/(?<=[.!?\n])\s+/));
  return [...new Set(texts.map((text) => text.trim()).filter(Boolean))].slice(0, MOST_SENTENCES);
}

/** Number of words that are enough to tell what the caller wants. */
const ENOUGH_WORDS = 3;
/** Maximum number of lines to read: later ones answer questions. */
const MOST_LINES = 3;
const LONGEST = 400;

/** A caller's request in their own words: their first lines, up to one with enough words; empty if there is none. */
export function wantedText(transcript: readonly Message[]): string {
  const kept: string[] = [];
  for (const { said } of callerLines(transcript)
    .filter((line) => !isCourtesy(line.said))
    .slice(0, MOST_LINES)) {
    kept.push(said.replaceAll(/\s+/g, " "));
    if (comparedWords(kept.join(" ")).length >= ENOUGH_WORDS) break;
  }
  return kept.join(" ").slice(0, LONGEST);
}
