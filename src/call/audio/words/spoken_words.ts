import { readNumberWords } from "./number_words.ts";
import { type SpokenWord, writtenWords } from "./written_words.ts";

/** End of a sentence: numbers before and after it are separate. */
const SENTENCE_END = /[.!?;]\s/;

/**
 * Normalizes a text to its spoken words, so that writing and transcription can be compared: "$1,200" and
 * "twelve hundred dollars" give the same words, so do "555" and "five five five", "IBM" and "i b m".
 */
export function spokenWords(text: string): readonly SpokenWord[] {
  const composed = text.normalize("NFC");
  return joinedLetters(joinedNumbers(withoutAnd(readNumberWords(writtenWords(composed))), composed));
}

/** Drops the "and" of "two dollars and fifty cents". */
function withoutAnd(words: readonly SpokenWord[]): readonly SpokenWord[] {
  return words.filter(({ word }, index) => {
    const unit = words[index - 1]?.word ?? "";
    return (
      word !== "and" ||
      !/^(?:dollars|euros|pounds)$/.test(unit) ||
      !/^(?:cents|pence)$/.test(words[index + 2]?.word ?? "")
    );
  });
}

/** Joins consecutive numbers: speech does not tell "555 01" from "55 501". */
function joinedNumbers(words: readonly SpokenWord[], text: string): readonly SpokenWord[] {
  return joined(words, (before, each) => {
    if (before.kind !== "number" || each.kind !== "number") return false;
    return !SENTENCE_END.test(text.slice(before.end, each.start));
  });
}

function joinedLetters(words: readonly SpokenWord[]): readonly SpokenWord[] {
  const isLetter = ({ word, kind }: SpokenWord) => kind === "word" && /^\p{L}$/u.test(word);
  let isRun = false;
  return joined(words, (before, each) => {
    isRun = isLetter(each) && (isLetter(before) || isRun);
    return isRun;
  });
}

/** Joins neighbours. `belongs` gets what has been joined so far and the next word. */
function joined(
  words: readonly SpokenWord[],
  belongs: (before: SpokenWord, each: SpokenWord) => boolean,
): readonly SpokenWord[] {
  const all: SpokenWord[] = [];
  for (const each of words) {
    const before = all.at(-1);
    if (before && belongs(before, each))
      all[all.length - 1] = { ...before, word: before.word + each.word, end: each.end };
    else all.push(each);
  }
  return all;
}
