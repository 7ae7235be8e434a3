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
function readNumberWords(words: readonly SpokenWord[]): readonly SpokenWord[] {
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

/** A spoken word of a text, with its position in the text. */
export interface SpokenWord {
  /** Lower case, without accents and punctuation; a number is its digits. */
  readonly word: string;
  readonly start: number;
  readonly end: number;
  readonly kind: "word" | "number" | "email";
}

const CURRENCIES = new Map([
  ["$", ["dollars", "cents"]],
  ["€", ["euros", "cents"]],
  ["£", ["pounds", "pence"]],
]);
const SYMBOLS = new Map([
  ["%", "percent"],
  ["&", "and"],
  ["#", "number"],
  [".", "dot"],
  ["@", "at"],
  ["_", "underscore"],
  ["-", "dash"],
  ["+", "plus"],
  ["/", "slash"],
]);
/** Forms of one word, so that "1 dollar" and "$1" give the same words. */
const SAME = new Map([
  ["dollar", "dollars"],
  ["euro", "euros"],
  ["pound", "pounds"],
  ["cent", "cents"],
  ["ok", "okay"],
  ["mr", "mister"],
  ["dr", "doctor"],
]);

const EMAIL = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/u;
const DOMAIN = /(?:[\p{L}\p{N}-]+\.)+(?:com|org|net|io|co|gov|edu|info|app|dev|ai|us|uk|de|fr|ch)\b/u;
const MONEY = /[$€£]\s?\d+(?:,\d{3})*(?:\.\d{1,2})?/u;
const TIME = /\b\d{1,2}:\d{2}\b/u;
const NUMBER = /\d+(?:,\d{3})*(?:\.\d+)?(?:st\b|nd\b|rd\b|th\b)?/u;
const HALF_DAY = /\b[ap]\.\s?m\b\.?/u;
const WORD = /\p{L}+(?:['’]\p{L}+)*/u;
const SYMBOL = /[%&#]/u;
const PATTERN = new RegExp(
  [EMAIL, DOMAIN, MONEY, TIME, HALF_DAY, NUMBER, WORD, SYMBOL].map(({ source }) => `(${source})`).join("|"),
  "giu",
);

/**
 * Splits a text into words as they are spoken: "$1,200" gives `1200` and `dollars`, an e-mail address its parts with
 * `at` and `dot`. Words that are numbers stay words.
 */
function writtenWords(text: string): readonly SpokenWord[] {
  // same length as the text, so that positions stay valid
  const plain = [...text].map((each) => withoutAccents(each)).join("");
  return [...plain.matchAll(PATTERN)].flatMap((match): readonly SpokenWord[] => {
    const [found, email, domain, money, time, halfDay, number, word] = match;
    const [start, end] = [match.index, match.index + found.length];
    const as = (kind: SpokenWord["kind"], words: readonly string[]) =>
      words.map((each): SpokenWord => ({ word: each, start, end, kind }));
    if (email !== undefined) return as("email", spelled(email));
    if (domain !== undefined) return as("word", spelled(domain));
    if (money !== undefined) return amount(money).map((each) => ({ ...each, start, end }));
    if (time !== undefined)
      return as(
        "number",
        time
          .split(":")
          .map(Number)
          .filter((part, at) => at === 0 || part > 0)
          .map((part, at) => (at === 0 ? String(part) : String(part).padStart(2, "0"))),
      );
    if (halfDay !== undefined)
      return as("word", [halfDay.replaceAll(/[^ap]/gi, "").toLowerCase() === "a" ? "am" : "pm"]);
    if (number !== undefined) return numberWords(number).map((each) => ({ ...each, start, end }));
    if (word !== undefined)
      return as(
        "word",
        [plainWord(word)].filter((each) => each !== "oclock"),
      );
    return as("word", [SYMBOLS.get(found) ?? found]);
  });
}

function withoutAccents(letter: string): string {
  const plain = letter.normalize("NFD").replaceAll(/[\u0300-\u036f]/gu, "");
  return plain.length === letter.length ? plain : letter;
}

function plainWord(word: string): string {
  const plain = word.toLowerCase().replaceAll(/['’]/g, "");
  return SAME.get(plain) ?? plain;
}

/** Parts of an e-mail address or of a domain. */
function spelled(address: string): readonly string[] {
  const parts = address.toLowerCase().match(/\p{L}+|\d+|[^\p{L}\d]/gu) ?? [];
  return parts.map((part) => SYMBOLS.get(part) ?? part);
}

type Bare = Pick<SpokenWord, "word" | "kind">;

function amount(money: string): readonly Bare[] {
  const [whole = "", part = ""] = money.slice(1).trim().replaceAll(",", "").split(".");
  const [unit = "", cents = ""] = CURRENCIES.get(money.charAt(0)) ?? [];
  return [
    { word: String(Number(whole)), kind: "number" },
    { word: unit, kind: "word" },
    ...(Number(part) > 0
      ? ([
          { word: String(Number(part.padEnd(2, "0"))), kind: "number" },
          { word: cents, kind: "word" },
        ] as const)
      : []),
  ];
}

function numberWords(number: string): readonly Bare[] {
  const [whole = "", part] = number.replaceAll(/,|[a-z]+$/gi, "").split(".");
  return [
    { word: whole, kind: "number" },
    ...(part === undefined
      ? []
      : ([
          { word: "point", kind: "word" },
          { word: part, kind: "number" },
        ] as const)),
  ];
}
