import { diffArrays } from "diff";
import { distance } from "fastest-levenshtein";
import type { WordChange } from "../../transcript/mod.ts";
import { spokenWords } from "./spoken_words.ts";

/** How the words that were heard differ from those that were written. */
export interface ComparedWords {
  /** Words that were written. */
  readonly words: number;
  /** Fewest words to replace, remove and add. */
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

/** Errors per written word; 0 where nothing was written and nothing heard, 1 where only something was heard. */
export function wordErrorRate({ words, errors }: Pick<ComparedWords, "words" | "errors">): number {
  return words === 0 ? Math.min(1, errors) : errors / words;
}

/** The Levenshtein distance over words: each different word is one character for the library. */
function wordDistance(before: readonly string[], after: readonly string[]): number {
  const letters = new Map([...new Set([...before, ...after])].map((word, index) => [word, String.fromCharCode(index)]));
  const coded = (words: readonly string[]) => words.map((word) => letters.get(word) ?? "").join("");
  return distance(coded(before), coded(after));
}
