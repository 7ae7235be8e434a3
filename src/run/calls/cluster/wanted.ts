import type { Message } from "../../../document/transcript/mod.ts";
import { callerLines, isCourtesy } from "../caller_lines.ts";
import { comparedWords } from "./words.ts";

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
