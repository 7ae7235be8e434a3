import { diffArrays } from "diff";
import { distance } from "fastest-levenshtein";
import type { WordChange } from "../../../document/transcript/mod.ts";
import { spokenWords } from "./spoken_words.ts";

/** The word differences between the written text and the transcription. */
export interface ComparedWords {
  /** Number of written words. */
  readonly words: number;
  /** Minimum number of words to replace, remove and add. */
  readonly errors: number;
  readonly changes: readonly WordChange[];
}

/** Compares two texts word by word, numbers by their digits. */
export function compareWords(written: string, heard: string): ComparedWords {
  const before = spokenWords(written).map(({ word }) => word);
  const after = spokenWords(heard).map(({ word }) => word);
  const changes = diffArrays(before, after).map(
    ({ added, removed, value }): WordChange => ({
      kind: added ? "added" : removed ? "missing" : "same",
      words: value.join(" "),
    }),
  );
  return { words: before.length, errors: wordDistance(before, after), changes };
}

/** Errors per written word; 0 if both texts are empty, 1 if only the written one is. */
export function wordErrorRate({ words, errors }: Pick<ComparedWords, "words" | "errors">): number {
  return words === 0 ? Math.min(1, errors) : errors / words;
}

/** The Levenshtein distance over words: each distinct word is mapped to one character for the library. */
function wordDistance(before: readonly string[], after: readonly string[]): number {
  const letters = new Map([...new Set([...before, ...after])].map((word, index) => [word, String.fromCharCode(index)]));
  const coded = (words: readonly string[]) => words.map((word) => letters.get(word) ?? "").join("");
  return distance(coded(before), coded(after));
}
