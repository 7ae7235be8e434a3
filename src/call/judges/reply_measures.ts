import { joinSpokenDigits } from "../../base/values/mod.ts";
import { MS_PER_WORD } from "../../document/scenario/mod.ts";
import { statedFacts } from "./audit.ts";
import { foldText } from "./evidence.ts";

/** Scripts that are written without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

/** The words of a text: what stands between spaces and has a letter or a digit. */
export function wordsOf(text: string): readonly string[] {
  return text
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .flatMap((word) => (UNSPACED.test(word) ? segmented(word) : [word]));
}

function segmented(text: string): readonly string[] {
  const parts = new Intl.Segmenter(undefined, { granularity: "word" }).segment(text);
  return [...parts].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
}

/** Estimated seconds of speech: transcripts have no durations, and a word takes 0.4 s. */
export function speechSeconds(text: string): number {
  return (wordsOf(text).length * MS_PER_WORD) / 1000;
}

/** Number of questions: of question marks, of which several in a row are one. */
export function questionCount(text: string): number {
  return text.match(/[?？؟]+/gu)?.length ?? 0;
}

/** The sentences of a text that have a word. */
export function sentencesOf(text: string): readonly string[] {
  return text.split(/(?<=[.!?…])\s+|(?<=[。！？])|\n+/u).filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

/**
 * The automated readability index: the school grade that a text needs, from the letters in a word and the words in a
 * sentence. At least 0; 0 for a text without words.
 *
 * @see E. A. Smith and R. J. Senter, Automated Readability Index, AMRL-TR-66-220 (1967).
 */
export function readingLevel(text: string): number {
  const words = wordsOf(text);
  const sentences = sentencesOf(text).length;
  if (words.length === 0 || sentences === 0) return 0;
  const letters = words.join("").match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  const level = 4.71 * (letters / words.length) + 0.5 * (words.length / sentences) - 21.43;
  return Math.max(0, Math.round(level * 10) / 10);
}

/** Shorter sentences, such as "One moment, please", may be said twice. */
export const FEWEST_REPEATED_WORDS = 4;

/** Sentences that must not be said twice, each with its words in one form. */
export function repeatableSentences(text: string): readonly { readonly sentence: string; readonly words: string }[] {
  return text.split(/(?<=[.!?…])\s+|\n+/).flatMap((sentence) => {
    const words = foldText(sentence.replace(/[^\p{L}\p{N}\s]/gu, " "));
    return words.split(/\s+/).filter(Boolean).length < FEWEST_REPEATED_WORDS ? [] : [{ sentence, words }];
  });
}

/** How a text says a value: rightly, as another value like it, or not at all. */
export type SaidBack = { readonly kind: "right" | "absent" } | { readonly kind: "wrong"; readonly said: string };

/**
 * Finds a value in a text. Numbers may have other separators or be spoken digit by digit. Another number of almost the
 * same digits, and a name that differs in one of four letters, is the value said wrongly.
 */
export function saidBack(text: string, value: string): SaidBack {
  return /\p{N}/u.test(value) ? numberSaid(text, value) : nameSaid(text, value);
}

/** Digits of a phone number without its country code, which people may leave out. */
const PHONE_DIGITS = 9;

function numberSaid(text: string, value: string): SaidBack {
  const spoken = joinSpokenDigits(text);
  const numbers = spoken.match(/\d+(?:[.,:/-]\d+)*/g) ?? [];
  const facts = statedFacts(text).map((fact) => fact.text);
  const wanted = plain(value);
  const amount = amountOf(value);
  const isRight =
    amount === undefined
      ? [...facts, ...numbers].some((each) => isSameNumber(plain(each), wanted)) || isSpelled(wanted, spoken)
      : numbers.some((each) => amountOf(each) === amount || Number(each) === amount);
  if (isRight) return { kind: "right" };
  const wrong = [...facts, ...(amount === undefined ? [] : numbers)].find((each) => isNear(plain(each), wanted, 3));
  return wrong === undefined ? { kind: "absent" } : { kind: "wrong", said: wrong };
}

/** The value of a number with a fraction, such as `€ 42,50`; `undefined` for other texts. */
function amountOf(text: string): number | undefined {
  const [, whole, fraction] = /^[^\p{L}\d]*(\d+)[.,](\d{1,2})[^\p{L}\d]*$/u.exec(text) ?? [];
  return whole === undefined ? undefined : Number(`${whole}.${fraction}`);
}

/** Whether a text has these letters and digits in a row, with or without spaces between them, and no others around. */
function isSpelled(wanted: string, text: string): boolean {
  const letters = [...wanted].join("[^\\p{L}\\p{N}]{0,3}");
  return new RegExp(`(?<![\\p{L}\\p{N}])${letters}(?![\\p{L}\\p{N}])`, "u").test(foldText(text));
}

function isSameNumber(said: string, wanted: string): boolean {
  if (said === wanted) return true;
  const [short, long] = said.length < wanted.length ? [said, wanted] : [wanted, said];
  return /^\d+$/.test(long) && short.length >= PHONE_DIGITS && long.endsWith(short.slice(-PHONE_DIGITS));
}

function plain(text: string): string {
  return foldText(text).replace(/[^\p{L}\p{N}]/gu, "");
}

function nameSaid(text: string, value: string): SaidBack {
  const wanted = namesOf(value).map(({ folded }) => folded);
  const words = namesOf(text);
  const size = wanted.length;
  if (size === 0) return { kind: "absent" };
  const windows = words.flatMap((_, at) => (at + size <= words.length ? [words.slice(at, at + size)] : []));
  const joined = wanted.join(" ");
  if (windows.some((window) => window.map(({ folded }) => folded).join(" ") === joined)) return { kind: "right" };
  const wrong = windows.find(
    (window) =>
      // the first word of a sentence has a capital, too
      window.every(({ word, isFirst }) => !isFirst && /^\p{Lu}/u.test(word)) &&
      isNear(window.map(({ folded }) => folded).join(" "), joined, 4),
  );
  return wrong ? { kind: "wrong", said: wrong.map(({ word }) => word).join(" ") } : { kind: "absent" };
}

function namesOf(
  text: string,
): readonly { readonly word: string; readonly folded: string; readonly isFirst: boolean }[] {
  return text.split(/(?<=[.!?…])\s+|\n+/).flatMap((sentence) =>
    (sentence.match(/\p{L}+(?:['’-]\p{L}+)*/gu) ?? []).map((word, at) => ({
      word,
      folded: foldText(word).replace(/'s$/, ""),
      isFirst: at === 0,
    })),
  );
}

/** Whether a text differs from another, in at most one of `oneOf` characters. */
function isNear(said: string, wanted: string, oneOf: number): boolean {
  if (said === wanted || Math.abs(said.length - wanted.length) > 1) return false;
  return editDistance(said, wanted) <= Math.floor(wanted.length / oneOf);
}

/** Number of characters that are added, left out, replaced, or swapped with the next; the texts are short. */
function editDistance(from: string, to: string): number {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let at = 1; at <= from.length; at += 1) {
    const next = [at];
    for (let index = 1; index <= to.length; index += 1) {
      const isSame = from[at - 1] === to[index - 1];
      const isSwapped = at > 1 && index > 1 && from[at - 1] === to[index - 2] && from[at - 2] === to[index - 1];
      const ways = [
        (next[index - 1] ?? 0) + 1,
        (row[index] ?? 0) + 1,
        (row[index - 1] ?? 0) + (isSame ? 0 : 1),
        ...(isSwapped ? [(before[index - 2] ?? 0) + 1] : []),
      ];
      next.push(Math.min(...ways));
    }
    [before, row] = [row, next];
  }
  return row.at(-1) ?? 0;
}
