import { DIGIT_WORDS, hasLuhnDigit, ibanRest } from "../../../../base/values/mod.ts";
import type { CallLanguage } from "../dictionary.ts";
import { ibanFor, isAnyMadeUp, isMadeUp, numberFor, type PersonalNumberKind } from "../pseudonyms.ts";
import { type Cue, cueBefore, cueOfKey } from "./cues.ts";
import type { Finder, FoundData, Known, Tools } from "./found.ts";

/** Finds phone numbers, payment cards, accounts, social security numbers and the like, written or spoken. */
export const findNumbers: Finder = (text, { key, cues, language }, tools, known) => {
  const runs = digitRunsIn(text);
  if (runs.length === 0) return [];
  const keyCue = cueOfKey(key);
  return runs.flatMap((run): readonly FoundData[] => {
    const cue = keyCue ?? cueBefore(text, run, cues, key === "");
    const kind = kindOf(text, run, cue, language, tools, known, key !== "" && keyCue !== undefined);
    return kind === undefined ? [] : [foundNumber(text, run, kind, language, tools)];
  });
};

/** Minimum number of digits of a number with a cue. */
const FEWEST: { readonly [cue in Cue]?: number } = { phone: 7, account: 5, id: 5, social: 5 };
const KINDS: { readonly [cue in Cue]?: PersonalNumberKind } = {
  phone: "phone",
  account: "number",
  id: "number",
  social: "number",
};

function kindOf(
  text: string,
  run: DigitRun,
  cue: Cue | undefined,
  language: CallLanguage | undefined,
  tools: Tools,
  known: Known,
  isValue: boolean,
): PersonalNumberKind | undefined {
  const { digits, hasPlus } = run;
  const { length } = digits;
  const shown = text.slice(run.start, run.end);
  const learnt = known.numbers.get(digits);
  if (learnt !== undefined && (length > 4 || learnt === "tail" || cue === "tail")) return learntKind(run, cue, learnt);
  if (cue === "secret" && length >= 3 && length <= 6) return "secret";
  if (cue === "tail" && (length === 4 || length === 5)) return "tail";
  if (cue === "zip" && length >= 5 && length <= 9) return "zip";
  if (/(?<!\d)\d{3}[- ]\d{2}[- ]\d{4}$/.test(shown) && length === 9) return "social";
  if ((cue === "social" || cue === "id") && length === 9) return "social";
  const isCardLike = length >= 13 && length <= 19 && hasLuhnDigit(digits) && !/^0/.test(digits);
  if (isCardLike && !hasPlus && cue !== "account") return "card";
  if (cue === "card" && length >= 12 && length <= 19) return "number";
  if (known.phones.has(tools.phones.plain(digits, hasPlus, language))) return "phone";
  if (cue === "phone" && length <= 15 && length >= 7) return "phone";
  const kind = cue && KINDS[cue];
  if (kind !== undefined && kind !== "phone" && length >= (FEWEST[cue ?? "id"] ?? 5)) {
    // "my account, and my phone is…" has a cue of its own; a date or a year is no account
    return isValue || !isYear(digits) ? kind : undefined;
  }
  const isCalled = CALLED.test(text.slice(Math.max(0, run.start - 12), run.start));
  if (cue === "other" && !hasPlus && !isCalled) return undefined;
  return isPhoneByItself(run, shown, language, tools) ? "phone" : isGrouped(shown, length) ? "number" : undefined;
}

/** "the code to 415-555-0123", but not "the order number 4155550123" */
const CALLED = /(?<!\p{L})(?:to|at|on|from|text|call|unter|an|von|au|al|du|desde|depuis)\s(?:the |die |le |el )?$/iu;

function learntKind(run: DigitRun, cue: Cue | undefined, learnt: PersonalNumberKind): PersonalNumberKind | undefined {
  return learnt === "tail" && cue !== "tail" && (run.isSpoken || isYear(run.digits)) ? undefined : learnt;
}

function isYear(digits: string): boolean {
  return /^(?:19|20)\d\d$/.test(digits);
}

/** Whether digits without a cue are a phone number: by their grouping, or because a numbering plan has them. */
function isPhoneByItself(
  { digits, hasPlus, isSpoken, parts }: DigitRun,
  shown: string,
  language: CallLanguage | undefined,
  { phones }: Tools,
): boolean {
  const { length } = digits;
  if (length < 7 || length > 15) return false;
  if (hasPlus) return length >= 8;
  if (isMadeUp(digits, "phone")) return true;
  if (isSpoken) return length <= 12;
  const groups = parts.map((part) => part.digits.length).join("-");
  if (/^1?-?3-3-4$/.test(groups.replace(/^1-/, "1-"))) return true;
  if (groups === "3-4") return /^[2-9]\d\d[-.]\d{4}$/.test(shown);
  if (parts.every((part) => part.digits.length === 1)) return length === 7 || length === 10 || length === 11;
  if (parts.length === 1)
    return /^(?=.{10,11}$)1?[2-9]\d\d[2-9]/.test(digits) || phones.isValid(digits, false, language);
  // national formats of other countries: a zero in front and groups, or the nine digits of Spain
  if (/^[6-9]\d\d[ .-](?:\d{3}[ .-]\d{3}|\d\d[ .-]\d\d[ .-]\d\d)$/.test(shown)) return true;
  return /^0/.test(digits) && (parts.length > 1 || /^0[1-9]/.test(digits)) && length >= 9 && length <= 14;
}

/** National numbers with their own grouping: Aadhaar, CPF, and cards with a wrong check digit. */
function isGrouped(shown: string, length: number): boolean {
  return length >= 11 && /^(?:\d{4} \d{4} \d{4}|\d{3}\.\d{3}\.\d{3}-\d\d|\d{4}([ -])\d{4}\1\d{4}\1\d{4})$/.test(shown);
}

/** "x590", ", poste 12" */
const EXTENSION =
  /^,? ?(?:x|ext\.?|extension|poste|durchwahl|dw|extensión|int(?:erno|\.)?)[ .:]{0,2}\d{1,6}(?![\p{L}\d])/iu;

function foundNumber(
  text: string,
  run: DigitRun,
  kind: PersonalNumberKind,
  language: CallLanguage | undefined,
  tools: Tools,
): FoundData {
  const { start, digits, hasPlus } = run;
  if (kind === "phone") {
    const extension = EXTENSION.exec(text.slice(run.end, run.end + 30))?.[0] ?? "";
    const end = run.end + extension.length;
    const plain = tools.phones.plain(digits, hasPlus, language);
    return {
      start,
      end,
      learn: ({ phones }) => {
        if (!isAnyMadeUp(digits)) phones.add(plain);
      },
      replacement: ({ phones }) => {
        const inner = extension.replace(/\d/g, "0");
        if (isAnyMadeUp(digits)) return text.slice(start, run.end) + inner;
        const made = numberFor(longest(plain, phones), "phone", tools.keyed);
        return writeLike(text, run, digits.length === 11 && digits.startsWith("1") ? `1${made}` : made) + inner;
      },
    };
  }
  const { end } = run;
  return {
    start,
    end,
    learn: ({ numbers }) => {
      if (!isAnyMadeUp(digits) && kind !== "secret") numbers.set(digits, kind);
    },
    replacement: ({ numbers, phones }) => {
      if (digits.length >= 5 && isAnyMadeUp(digits)) return text.slice(start, end);
      return writeLike(
        text,
        run,
        kind === "tail" ? tailFor(digits, numbers, phones, tools) : numberFor(digits, kind, tools.keyed),
      );
    },
  };
}

/** The known number that ends with these digits: "555 0123" and "(415) 555-0123" are the same phone. */
function longest(plain: string, phones: ReadonlySet<string>): string {
  const end = plain.replace(/^0+/, "");
  return (
    [...phones].filter((phone) => phone.endsWith(end)).sort((a, b) => b.length - a.length || (a < b ? -1 : 1))[0] ??
    plain
  );
}

function tailFor(digits: string, numbers: Known["numbers"], phones: Known["phones"], { keyed }: Tools): string {
  for (const [number, kind] of numbers)
    if (kind !== "tail" && number.length > digits.length && number.endsWith(digits))
      return numberFor(number, kind, keyed).slice(-digits.length);
  for (const phone of phones) if (phone.endsWith(digits)) return numberFor(phone, "phone", keyed).slice(-digits.length);
  return numberFor(digits, "tail", keyed);
}

const IBAN =
  /(?<![\p{Script=Latin}\d])[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,4})?(?![\p{Script=Latin}\d])/giu;

/** Finds bank accounts with the right check digits. */
export const findIbans: Finder = (text, _context, { keyed }) =>
  [...text.matchAll(IBAN)].flatMap(({ index, 0: shown }): readonly FoundData[] => {
    const plain = shown.replace(/[ -]/g, "").toUpperCase();
    if (plain.length < 15 || plain.length > 34 || ibanRest(plain) !== 1) return [];
    const replacement = () => {
      const made = [...ibanFor(plain, keyed)];
      return shown.replace(/[A-Z0-9]/gi, () => made.shift() ?? "");
    };
    return [{ start: index, end: index + shown.length, replacement }];
  });

const NATIONAL_INSURANCE = /(?<![\p{L}\d])[A-Z]{2} ?(?:\d{2} ){2}\d{2} ?[A-D](?![\p{L}\d])/gu;
const MIXED =
  /(?<![\p{L}\d-])(?:\d{2} \d{6} [A-Z] \d{3}|(?=[A-Z-]{0,20}\d)(?=[\d-]{0,20}[A-Z])[A-Z\d](?:-?[A-Z\d]){4,19})(?![\p{L}\d])/giu;
/** The national id of Spain, by its check letter. */
const SPANISH = /(?<![\p{L}\d-])(?:\d{8}|[XYZ]-?\d{7})-?[A-Z](?![\p{L}\d])/gu;
const CHECK_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE";

function hasCheckLetter(shown: string): boolean {
  const plain = shown.replace(/-/g, "");
  const number = Number(plain.slice(0, -1).replace(/^[XYZ]/, (letter) => String("XYZ".indexOf(letter))));
  return CHECK_LETTERS[number % 23] === plain.at(-1);
}

/** Finds ids of letters and digits after the words that name them: passports, policies, memberships. */
export const findMixedIds: Finder = (text, { key, cues }, { keyed }) => {
  if (!/\d/.test(text)) return [];
  const keyCue = cueOfKey(key);
  const sure = [
    ...text.matchAll(NATIONAL_INSURANCE),
    ...[...text.matchAll(SPANISH)].filter(([id]) => hasCheckLetter(id)),
  ];
  return [...sure, ...text.matchAll(MIXED)].flatMap(({ index, 0: shown }, at): readonly FoundData[] => {
    const cue = key === "" ? cueBefore(text, { start: index, end: index + shown.length }, cues, true) : keyCue;
    const isSure = at < sure.length;
    const isId = cue === "id" || cue === "social" || cue === "account";
    if (!isId && !isSure) return [];
    if (!isSure && shown.replace(/\D/g, "").length < 4) return [];
    const digits = shown.replace(/\D/g, "");
    const replacement = () => {
      const made = [...(isAnyMadeUp(digits) ? digits : numberFor(digits, "number", keyed))];
      return shown.replace(/[\p{L}\d]/giu, (each) => (/\d/.test(each) ? (made.shift() ?? "0") : "X"));
    };
    return [{ start: index, end: index + shown.length, replacement }];
  });
};

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
/** Letters that make one word with digits; Japanese has no spaces before a number. */
const JOINED = "\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}";
const PART = new RegExp(
  `(?<![${JOINED}\\d_])(?:(double|triple)[\\s-]+(${ONES}|\\d)|(${TENS.join("|")})(?:[\\s-]+(${DIGIT_WORDS.slice(1).join("|")}))?|(${TEENS.join("|")})|(${ONES})|(\\d+))(?!(?!x ?\\d)[${JOINED}\\d])(?:\\s+(hundred|thousand)(?!\\p{L}))?`,
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
function digitRunsIn(text: string): readonly DigitRun[] {
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
function writeLike(text: string, run: DigitRun, digits: string): string {
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
