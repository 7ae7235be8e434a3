import { type CallLanguage, plainWord } from "../dictionary.ts";
import type { Tools } from "./found.ts";
import { CALENDAR, MORE_WORDS, NEVER_NAMES, PLACES, SURE_NAMES, WORD_FIRST_NAMES, WORD_LAST_NAMES } from "./lists.ts";

/** A word of a text, with its dictionary entries. */
export interface DictionaryWord {
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
  /** A first name. */
  readonly isGiven: boolean;
  readonly isWord: boolean;
  readonly isPlace: boolean;
  /** A word that is never a name. */
  readonly isNever: boolean;
  /** A day, a month or a language. */
  readonly isDate: boolean;
  /** An invented name. */
  readonly isMadeUp: boolean;
  /** A name that is not also an ordinary word, town or brand. */
  readonly isStrong: boolean;
  readonly language: CallLanguage | undefined;
}

const WORD =
  /(?<![\p{L}\d])\p{L}[\p{L}\p{M}]*(?:['’]\p{L}[\p{L}\p{M}]*)*(?:-\p{L}[\p{L}\p{M}]*(?:['’]\p{L}[\p{L}\p{M}]*)*)*(?![\p{L}\d])/gu;

/** Reads the words of a text. `Maria's` is `Maria`; `Jean-Luc` is one word. */
export function wordsIn(text: string, language: CallLanguage | undefined, tools: Tools): readonly DictionaryWord[] {
  return [...text.matchAll(WORD)].map(({ index, 0: found }) => {
    const own = found.replace(/['’]s$/i, "");
    return wordOf(
      own,
      index,
      /(?:^|[.!?¿¡:;"“„«\n•*-]\s*)$/.test(text.slice(Math.max(0, index - 3), index)),
      language,
      tools,
    );
  });
}

function wordOf(
  text: string,
  start: number,
  isFirst: boolean,
  language: CallLanguage | undefined,
  { dictionary, pool }: Tools,
): DictionaryWord {
  const plain = plainWord(text);
  const parts = plain.split("-");
  const initial = text[0] ?? "";
  const isCapital = initial !== initial.toLowerCase();
  const isName = parts.every(
    (part) => dictionary.isName(part) || (IRISH.test(part) && dictionary.isName(part.replace(/'/g, ""))),
  );
  const given = text.toLowerCase().split("-");
  const isGiven = parts.every(
    (part, index) => dictionary.isFirstName(given[index] ?? part) || dictionary.isFirstName(part),
  );
  const isSure =
    isCapital &&
    (language ? SURE_NAMES[language].has(plain) : Object.values(SURE_NAMES).some((names) => names.has(plain)));
  const isUpper = text.length > 1 && text === text.toUpperCase();
  // records have capitals only, and mostly English words
  const read = language ?? (isUpper ? "en" : undefined);
  const isWord = !isSure && parts.every((part) => dictionary.isWord(part, read) || MORE_WORDS.has(part));
  const isPlace = PLACES.has(plain) && !(isSure && language !== undefined && language !== "en");
  const isDate = CALENDAR.has(plain);
  const isProper = isCapital && !isFirst && (language === "fr" || language === "es");
  const isNever = (isDate && !isProper) || NEVER_NAMES.has(plain) || CONTRACTION.test(plain) || BRAND.test(text);
  return {
    start,
    end: start + text.length,
    text,
    plain,
    isCapital,
    isUpper,
    isFirst,
    isName,
    isGiven,
    isWord,
    isPlace,
    isNever,
    isDate,
    isMadeUp: parts.every((part) => pool.has(part)),
    // all nouns have capitals in German, and no dictionary has all of them
    isStrong:
      isName && !isWord && !isPlace && !isNever && plain.length > 1 && (isGiven || !isCapital || language !== "de"),
    language,
  };
}

/** "HomeNet", but not "McDonald" or "DeLuca" */
const BRAND = /^(?!(?:Ma?c|D[eiu]|L[aeo]|V[ao]n|Fitz|St|San)\p{Lu})\p{Lu}?\p{Ll}+\p{Lu}/u;
const CONTRACTION = /'(?:m|ll|ve|re|d|t|s)$/;
const IRISH = /^(?:o|d|l|m|n|dell|de)'/;

/** Whether a word can begin a name in a position where a name is expected. */
export function canBegin(word: DictionaryWord): boolean {
  if (word.isMadeUp) return false;
  if (word.isNever || word.plain.length < 2) return false;
  return !word.isWord || (word.isName && (word.isCapital || WORD_FIRST_NAMES.has(word.plain)));
}

/** Ends of German nouns. */
const NOUN =
  /(?:ung|ungen|heit|keit|schaft|tion|tionen|tat|nummer|termine?s?|zeit|karte|vertrag|adresse|daten|konto|kunden?)$/;

/** Whether an unknown word is a German noun rather than a name. */
export function isNoun({ isCapital, isName, plain }: DictionaryWord): boolean {
  return isCapital && !isName && NOUN.test(plain);
}

/** Whether a word can continue a name. */
export function canContinue(word: DictionaryWord): boolean {
  if (word.isMadeUp) return false;
  if (isNoun(word)) return false;
  if ((word.isNever && !WORD_LAST_NAMES.has(word.plain)) || word.plain.length < 2) return false;
  if (word.isUpper) return !word.isWord || WORD_LAST_NAMES.has(word.plain);
  if (word.isCapital) return word.isName || !word.isWord || WORD_LAST_NAMES.has(word.plain);
  return word.isName && (!word.isWord || WORD_LAST_NAMES.has(word.plain));
}
