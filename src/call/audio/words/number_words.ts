import type { SpokenWord } from "./written_words.ts";

const SMALL = new Map(
  ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
    .concat(["thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"])
    .map((word, value) => [word, value]),
);
const ORDINALS = new Map(
  ["zeroth", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]
    .concat(["eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth"])
    .concat(["eighteenth", "nineteenth"])
    .map((word, value) => [word, value]),
);
const TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const TENTHS = TENS.map((word) => word.replace(/y$/, "ieth"));
const SCALES = new Map([
  ["thousand", 1000],
  ["million", 1_000_000],
  ["billion", 1_000_000_000],
]);
const TIMES = new Map([
  ["double", 2],
  ["triple", 3],
]);

/**
 * Replaces number words by digits: "twelve hundred" becomes `1200`, "five five five" three times `5`, "twenty twenty
 * six" `20` and `26`. English only; other words stay as they are.
 */
export function readNumberWords(words: readonly SpokenWord[]): readonly SpokenWord[] {
  const read: SpokenWord[] = [];
  for (let at = 0; at < words.length; ) {
    const found = repeatedDigit(words, at) ?? cardinal(words, at);
    const [first, last] = [words[at], words[at + (found?.length ?? 1) - 1]];
    if (!first || !last) break;
    read.push(found ? { word: found.digits, start: first.start, end: last.end, kind: "number" } : first);
    at += found?.length ?? 1;
  }
  return read.map((each, index) => (isNought(each, read[index - 1], read[index + 1]) ? nought(each) : each));
}

interface Found {
  readonly digits: string;
  /** Number of words in it. */
  readonly length: number;
}

/** "double five" and "triple five". */
function repeatedDigit(words: readonly SpokenWord[], at: number): Found | undefined {
  const times = TIMES.get(words[at]?.word ?? "");
  const digit = numberOf(words[at + 1]);
  if (times === undefined || digit === undefined || digit > 9) return undefined;
  return { digits: String(digit).repeat(times), length: 2 };
}

/** The longest number that starts at a word: a digit alone, or "two hundred and five". */
function cardinal(words: readonly SpokenWord[], at: number): Found | undefined {
  let total = 0;
  let current: number | undefined;
  /** The next part must be below this: after "twenty" only a digit can follow, after "hundred" anything below 100. */
  let below = Number.POSITIVE_INFINITY;
  let scaleBelow = Number.POSITIVE_INFINITY;
  let isWord = false;
  let end = at;
  let next = at;
  if (words[at]?.word === "a" && isScale(words[at + 1])) {
    current = 1;
    below = 1;
    next += 1;
  }
  for (; next < words.length; next += 1) {
    const each = words[next];
    if (each?.word === "and" && below === 100 && numberOf(words[next + 1]) !== undefined) continue;
    const scale = SCALES.get(each?.word ?? "");
    const value = numberOf(each);
    if (each?.word === "hundred" && (current === undefined ? next === at : current > 0 && current < 100)) {
      current = (current ?? 1) * 100;
      below = 100;
    } else if (scale !== undefined && scale < scaleBelow && (current ?? (next === at ? 1 : 0)) > 0) {
      total += (current ?? 1) * scale;
      current = undefined;
      scaleBelow = scale;
      below = 100;
    } else if (value !== undefined && value < below && (value > 0 || next === at)) {
      if (each?.kind === "number" && next > at) break; // digits start a number of their own
      current = (current ?? 0) + value;
      below = value >= 20 && value % 10 === 0 && value < 100 ? 10 : 1;
    } else break;
    isWord ||= each?.kind !== "number";
    end = next + 1;
  }
  return isWord ? { digits: String(total + (current ?? 0)), length: end - at } : undefined;
}

function numberOf(each: SpokenWord | undefined): number | undefined {
  if (!each) return undefined;
  if (each.kind === "number") return each.word.length <= 3 && !/^0\d/.test(each.word) ? Number(each.word) : undefined;
  const tens = Math.max(TENS.indexOf(each.word), TENTHS.indexOf(each.word));
  return SMALL.get(each.word) ?? ORDINALS.get(each.word) ?? (tens < 0 ? undefined : (tens + 2) * 10);
}

function isScale(each: SpokenWord | undefined): boolean {
  return each !== undefined && (each.word === "hundred" || SCALES.has(each.word));
}

/** "oh" is a digit beside other digits. */
function isNought({ word }: SpokenWord, before: SpokenWord | undefined, after: SpokenWord | undefined): boolean {
  return (word === "oh" || word === "o") && (before?.kind === "number" || after?.kind === "number");
}

function nought(each: SpokenWord): SpokenWord {
  return { ...each, word: "0", kind: "number" };
}
