import { plainWord } from "../dictionary.ts";
import type { Tools } from "./found.ts";
import { MORE_WORDS, NEVER_NAMES, PLACES, SURE_NAMES, WORD_FIRST_NAMES, WORD_LAST_NAMES } from "./lists.ts";

/** A word of a text, with its dictionary entries. */
export interface Word {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** As `plainWord` returns it. */
  readonly plain: string;
  readonly isCapital: boolean;
  /** `AMEX`, `JFK` */
  readonly isUpper: boolean;
  readonly isFirst: boolean;
  readonly isName: boolean;
  readonly isWord: boolean;
  readonly isPlace: boolean;
  /** A word that is never a name. */
  readonly isNever: boolean;
  /** An invented name. */
  readonly isMadeUp: boolean;
  /** A name that is not also an ordinary word, town or brand. */
  readonly isStrong: boolean;
}

const WORD =
  /(?<![\p{L}\d])\p{L}[\p{L}\p{M}]*(?:['’]\p{L}[\p{L}\p{M}]*)*(?:-\p{L}[\p{L}\p{M}]*(?:['’]\p{L}[\p{L}\p{M}]*)*)*(?![\p{L}\d])/gu;

/** Reads the words of a text. `Maria's` is `Maria`; `Jean-Luc` is one word. */
export function wordsIn(text: string, tools: Tools): readonly Word[] {
  return [...text.matchAll(WORD)].map(({ index, 0: found }) => {
    const own = found.replace(/['’]s$/i, "");
    return wordOf(own, index, /(?:^|[.!?:;"“\n•*-]\s*)$/.test(text.slice(Math.max(0, index - 3), index)), tools);
  });
}

function wordOf(text: string, start: number, isFirst: boolean, { dictionary, pool }: Tools): Word {
  const plain = plainWord(text);
  const parts = plain.split("-");
  const initial = text[0] ?? "";
  const isCapital = initial !== initial.toLowerCase();
  const isName = parts.every(
    (part) => dictionary.isName(part) || (IRISH.test(part) && dictionary.isName(part.replace(/'/g, ""))),
  );
  const isSure = isCapital && SURE_NAMES.has(plain);
  const isWord = !isSure && parts.every((part) => dictionary.isWord(part) || MORE_WORDS.has(part));
  const isPlace = PLACES.has(plain);
  const isNever = NEVER_NAMES.has(plain) || CONTRACTION.test(plain);
  return {
    start,
    end: start + text.length,
    text,
    plain,
    isCapital,
    isUpper: text.length > 1 && text === text.toUpperCase(),
    isFirst,
    isName,
    isWord,
    isPlace,
    isNever,
    isMadeUp: parts.every((part) => pool.has(part)),
    isStrong: isName && !isWord && !isPlace && !isNever && plain.length > 1,
  };
}

const CONTRACTION = /'(?:m|ll|ve|re|d|t|s)$/;
const IRISH = /^(?:o|d|l|m|n|dell|de)'/;

/** Whether a word can begin a name in a position where a name is expected. */
export function canBegin(word: Word): boolean {
  if (word.isMadeUp) return true;
  if (word.isNever || word.plain.length < 2) return false;
  return !word.isWord || (word.isName && (word.isCapital || WORD_FIRST_NAMES.has(word.plain)));
}

/** Whether a word can continue a name. */
export function canContinue(word: Word): boolean {
  if (word.isMadeUp) return true;
  if (word.isNever || word.plain.length < 2) return false;
  if (word.isUpper) return !word.isWord || WORD_LAST_NAMES.has(word.plain);
  if (word.isCapital) return word.isName || !word.isWord || WORD_LAST_NAMES.has(word.plain);
  return word.isName && (!word.isWord || WORD_LAST_NAMES.has(word.plain));
}
