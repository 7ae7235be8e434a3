import { DIGIT_WORDS } from "../../../../base/values/mod.ts";

/** Digits that belong together: `(415) 555-0123`, "four one five, double five five…". */
export interface DigitRun {
  readonly start: number;
  readonly end: number;
  readonly digits: string;
  readonly hasPlus: boolean;
  readonly isSpoken: boolean;
  /** The groups, in order. */
  readonly parts: readonly DigitPart[];
}

/** A group of digits, written or spoken. */
export interface DigitPart {
  readonly start: number;
  readonly end: number;
  readonly digits: string;
  readonly isSpoken: boolean;
}

const TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(" ");
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const ONES = `${DIGIT_WORDS.join("|")}|oh|o`;
const PART = new RegExp(
  `(?<![\\p{L}\\d_])(?:(double|triple)[\\s-]+(${ONES}|\\d)|(${TENS.join("|")})(?:[\\s-]+(${DIGIT_WORDS.slice(1).join("|")}))?|(${TEENS.join("|")})|(${ONES})|(\\d+))(?!(?!x ?\\d)[\\p{L}\\d])(?:\\s+(hundred|thousand)(?!\\p{L}))?`,
  "giu",
);
const BETWEEN = /^(?:[ \t\-–—.()·]|,|\b(?:and(?: then)?|then|dash|hyphen|space|um+|uh+|er+)\b){0,8}$/i;
const MONTHS =
  "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?";
/** Dates, times, amounts and the like, whose digits belong to no other number. */
const NO_RUN = new RegExp(
  [
    "(?<!\\d)(?:19|20)\\d\\d-\\d\\d-\\d\\d(?:[T ]\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d+)?)?(?:Z|[+-]\\d\\d:?\\d\\d)?)?(?!\\d)",
    "(?<!\\d)\\d{1,4}/\\d{1,2}(?:/\\d{1,4})?(?!\\d)",
    "(?<![\\d.])\\d{1,2}\\.\\d{1,2}\\.(?:19|20)?\\d\\d(?![\\d]|\\.\\d)",
    "(?<!\\d)\\d{1,2}:\\d\\d(?::\\d\\d)?(?!\\d)",
    "[$€£¥₹]\\s?\\d[\\d,.]*",
    "(?<![\\d.-])\\d[\\d,.]*\\s?(?:dollars?|euros?|pounds?|usd|eur|gbp|cents?|percent|%|kg|km|miles|minutes|hours|days|am\\b|pm\\b)",
    "(?<![\\d-])\\d{1,3}(?:,\\d{3})+(?!\\d)",
    "(?<![\\d.])(?:\\d{1,3}\\.){3}\\d{1,3}(?![\\d.])",
    "(?<![\\d.])-?\\d+\\.\\d{1,2}(?![\\d.])",
    "(?<![\\d.])-?\\d{1,3}\\.\\d{5,}(?![\\d.])",
    `\\b(?:${MONTHS})\\.? \\d{1,2}(?:st|nd|rd|th)?(?:,? (?:19|20)\\d\\d)?(?!\\d)`,
    `(?<!\\d)\\d{1,2}(?:st|nd|rd|th)?\\.?(?: of)? (?:${MONTHS})\\b(?:,? (?:19|20)\\d\\d)?`,
  ].join("|"),
  "giu",
);

/** Finds runs of digits, written or spoken. */
export function digitRunsIn(text: string): readonly DigitRun[] {
  if (!/\d|\b(?:one|two|three|four|five|six|seven|eight|nine|zero|double|triple)\b/i.test(text)) return [];
  const closed = [...text.matchAll(NO_RUN)].map(({ index, 0: { length } }) => ({ start: index, end: index + length }));
  const runs: DigitPart[][] = [];
  let run: DigitPart[] = [];
  for (const part of partsOf(text)) {
    if (closed.some(({ start, end }) => part.start < end && part.end > start)) {
      run = [];
      continue;
    }
    const last = run.at(-1);
    if (last && joins(text.slice(last.end, part.start), last, part)) run.push(part);
    else {
      run = [part];
      runs.push(run);
    }
  }
  return runs.map((parts) => runOf(text, parts));
}

function partsOf(text: string): readonly DigitPart[] {
  return [...text.matchAll(PART)].map((match): DigitPart => {
    const [whole, times, repeated, tens, ones, teens, one, written, power] = match;
    const zeros = power === undefined ? "" : power.toLowerCase() === "hundred" ? "00" : "000";
    const digits =
      times !== undefined
        ? digitOf(repeated).repeat(times.toLowerCase() === "double" ? 2 : 3)
        : tens !== undefined
          ? `${TENS.indexOf(tens.toLowerCase()) + 2}${ones === undefined ? "0" : digitOf(ones)}`
          : teens !== undefined
            ? String(TEENS.indexOf(teens.toLowerCase()) + 10)
            : (written ?? digitOf(one));
    const isSpoken = written === undefined;
    return { start: match.index, end: match.index + whole.length, digits: digits + zeros, isSpoken };
  });
}

function digitOf(word = ""): string {
  const value = DIGIT_WORDS.indexOf(word.toLowerCase());
  return /\d/.test(word) ? word : String(Math.max(0, value));
}

function joins(between: string, before: DigitPart, after: DigitPart): boolean {
  if (!BETWEEN.test(between)) return false;
  const isShort = before.digits.length <= 4 && after.digits.length <= 4;
  if (/,/.test(between)) return isShort;
  if (/\.\s/.test(between)) return before.isSpoken || (before.digits.length === 1 && after.digits.length === 1);
  if (/[a-z]/i.test(between)) return before.isSpoken || after.isSpoken || /dash|hyphen|space/i.test(between);
  return true;
}

function runOf(text: string, parts: readonly DigitPart[]): DigitRun {
  // an "oh" with a comma or alone in front is an interjection
  const [first] = parts;
  const isInterjection = first && /^oh?$/i.test(text.slice(first.start, first.end)) && text[first.end] === ",";
  const own = isInterjection ? parts.slice(1) : parts;
  const begin = own[0]?.start ?? 0;
  const end = own.at(-1)?.end ?? begin;
  const bracket = text.slice(begin, end).includes(")") ? "\\(?" : "";
  const opening =
    new RegExp(`(?:\\+|\\bplus\\s+)?${bracket}$`, "i").exec(text.slice(Math.max(0, begin - 6), begin))?.[0] ?? "";
  return {
    start: begin - opening.length,
    end,
    digits: own.map(({ digits }) => digits).join(""),
    hasPlus: /\+|plus/i.test(opening),
    isSpoken: own.some(({ isSpoken }) => isSpoken),
    parts: own,
  };
}

/** Writes other digits in the form of a run: with its groups and words if the number of digits is the same. */
export function writeLike(text: string, run: DigitRun, digits: string): string {
  if (run.digits.length !== digits.length) return writeAnew(text, run, digits);
  let written = "";
  let from = run.start;
  let at = 0;
  for (const part of run.parts) {
    const own = digits.slice(at, at + part.digits.length);
    written += text.slice(from, part.start) + (part.isSpoken ? inWords(own) : own);
    from = part.end;
    at += part.digits.length;
  }
  return written;
}

function writeAnew(text: string, run: DigitRun, digits: string): string {
  if (run.isSpoken) return inWords(run.hasPlus ? `1${digits}` : digits);
  const plus = run.hasPlus ? "+1" : "";
  const separator = /[ .-]/.exec(text.slice(run.start, run.end))?.[0];
  if (separator === undefined) return plus + digits;
  const groups = [digits.slice(0, 3), digits.slice(3, 6), digits.slice(6)];
  return [...(plus ? [plus] : []), ...groups].join(separator);
}

function inWords(digits: string): string {
  return [...digits].map((digit) => DIGIT_WORDS[Number(digit)]).join(" ");
}
