import { calendarOf } from "../../../../base/languages/mod.ts";
import { DIGIT_WORDS } from "../../../../base/values/mod.ts";
import { plainWord } from "../dictionary.ts";
import { birthdateFor, type CalendarDate, inCaseOf } from "../pseudonyms.ts";
import { cueBefore, cueOfKey } from "./cues.ts";
import type { Finder, FoundData } from "./found.ts";

const LANGUAGES = [
  "january february march april may june july august september october november december",
  "januar februar märz april mai juni juli august september oktober november dezember",
  "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
  "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
].map((names) => names.split(" "));
/** Months of languages of which only whole names are read. */
const OTHER_LANGUAGES = ["pt", "it", "nl", "hi", "ar"].map((language) => calendarOf(language).months);
const MONTH = LANGUAGES.flat()
  .concat("jänner", "fevrier", "aout", "decembre", "maerz")
  .sort((a, b) => b.length - a.length)
  .flatMap((name) =>
    name.length > 5 ? [name, `${name.slice(0, 4)}\\.?`, `${name.slice(0, 3)}\\.?`] : [name, `${name.slice(0, 3)}\\.?`],
  )
  .concat(OTHER_LANGUAGES.flat())
  .join("|");
const ORDINALS =
  "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth".split(
    " ",
  );
const DAY = `\\d{1,2}(?:st|nd|rd|th|er|º)?|(?:twenty|thirty)[ -]?(?:${ORDINALS.slice(0, 9).join("|")})|thirtieth|${ORDINALS.join("|")}`;
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const YEAR = `(?:1[89]|20)\\d\\d|'?\\d\\d|nineteen (?:hundred|${TENS.join("|")}|\\w+teen|oh|ten|eleven|twelve)(?:[ -](?:${DIGIT_WORDS.join("|")}))?|two thousand(?: (?:and )?[a-z]+)?|twenty (?:oh |ten|eleven|twelve|\\w+teen)(?:${DIGIT_WORDS.join("|")})?`;
const FORMS: readonly RegExp[] = [
  /(?<![\d-])(?<year>(?:1[89]|20)\d\d)[-/.](?<month>\d{1,2})[-/.](?<day>\d{1,2})(?![\d])/dgiu,
  /(?<![\d/.-])(?<month>\d{1,2})(?<mark>[-/.])(?<day>\d{1,2})\k<mark>(?<year>(?:19|20)?\d\d)(?![\d/-])/dgiu,
  new RegExp(`\\b(?<month>${MONTH}) (?:the )?(?<day>${DAY})(?:,? (?:of )?(?<year>${YEAR}))?(?![\\p{L}\\d])`, "dgiu"),
  new RegExp(
    `(?<![\\p{L}\\d])(?:the )?(?<day>${DAY})\\.? (?:of |de )?(?<month>${MONTH})(?:,? (?:of |del? )?(?<year>${YEAR}))?(?![\\p{L}\\d])`,
    "dgiu",
  ),
  /(?<!\d)(?<year>(?:1[89]|20)\d\d)年(?<month>\d{1,2})月(?<day>\d{1,2})日/dgu,
  /(?<!\d)(?<year>(?:1[89]|20)\d\d)(?<month>[01]\d)(?<day>[0-3]\d)(?!\d)/dgiu,
];

/** Finds dates of birth: dates after words or keys that say so, and the same dates elsewhere in the call. */
export const findBirthdates: Finder = (text, { key, cues, language }, { keyed }, known) => {
  if (!/\d|th\b|first|second|third/i.test(text)) return [];
  const isKey = cueOfKey(key) === "birthdate";
  return FORMS.flatMap((form) =>
    [...text.matchAll(form)].flatMap((match): readonly FoundData[] => {
      const { year = "", month = "", day = "", mark } = match.groups ?? {};
      const isDayFirst = mark === "." || (mark !== undefined && language !== undefined && language !== "en");
      const date = isDayFirst ? calendarDate(year, day, month) : calendarDate(year, month, day);
      if (!date) return [];
      const id = `${date.year}-${date.month}-${date.day}`;
      const swapped = `${date.year}-${date.day}-${date.month}`;
      const isBirth = isKey || known.birthdates.has(id) || known.birthdates.has(swapped);
      if (
        !isBirth &&
        cueBefore(text, { start: match.index, end: match.index + match[0].length }, cues, key === "") !== "birthdate"
      )
        return [];
      if (year === "" && !known.birthdates.has(id)) return yearless(match);
      return [
        {
          start: match.index,
          end: match.index + match[0].length,
          learn: ({ birthdates }) => birthdates.add(id),
          replacement: ({ birthdates }) => {
            const same =
              birthdates.has(id) || !birthdates.has(swapped) ? date : { ...date, month: date.day, day: date.month };
            const made = birthdateFor(same, keyed);
            // "25/03/1985": the first group is the day
            const isSwapped = isDayFirst ? Number(day) <= 12 : Number(month) > 12;
            return written(match, isSwapped ? { ...made, month: made.day, day: made.month } : made);
          },
        },
      ];
    }),
  );
};

/** A birthday without a year has no recognizable pseudonym, so it becomes January 1. */
function yearless(match: RegExpMatchArray): readonly FoundData[] {
  const start = match.index ?? 0;
  return [{ start, end: start + match[0].length, replacement: () => written(match, { year: 0, month: 1, day: 1 }) }];
}

function calendarDate(year: string, month: string, day: string): CalendarDate | undefined {
  const date = { year: yearOf(year), month: monthOf(month), day: dayOf(day) };
  if (date.month > 12 && date.day <= 12) return { ...date, month: date.day, day: date.month };
  return date.month >= 1 && date.month <= 12 && date.day >= 1 && date.day <= 31 ? date : undefined;
}

function monthOf(text: string): number {
  const number = Number(text);
  return Number.isNaN(number) ? namesLike(text).findIndex((name) => isMonth(name, text)) + 1 : number;
}

/** The names of months in the language of one of them. */
function namesLike(text: string): readonly string[] {
  const isWhole = [...LANGUAGES, ...OTHER_LANGUAGES].find((names) =>
    names.some((name) => plainWord(name) === plainWord(text)),
  );
  return isWhole ?? LANGUAGES.find((names) => names.some((name) => isMonth(name, text))) ?? [];
}

function isMonth(name: string, text: string): boolean {
  const short = plainWord(text.replace(".", "")).replace(/^jann/, "janu").replace(/^maer/, "mar");
  return plainWord(name).startsWith(short.length > 3 && short !== plainWord(name) ? short.slice(0, 4) : short);
}

function dayOf(text: string): number {
  const number = Number.parseInt(text, 10);
  if (!Number.isNaN(number)) return number;
  if (/^thirtieth$/i.test(text)) return 30;
  const [tens, ones] = /^(twenty|thirty)[ -]?(.*)$/i.exec(text)?.slice(1) ?? ["", text];
  const base = /twenty/i.test(tens ?? "") ? 20 : /thirty/i.test(tens ?? "") ? 30 : 0;
  return base + ORDINALS.indexOf((ones ?? "").toLowerCase()) + 1;
}

function yearOf(text: string): number {
  const number = Number(text.replace("'", ""));
  if (text === "") return 0;
  if (!Number.isNaN(number)) return number >= 100 ? number : number > 26 ? 1900 + number : 2000 + number;
  const words = text.toLowerCase().split(/[ -]+/);
  const century = words[0] === "nineteen" ? 1900 : 2000;
  const value = (word: string) => {
    const tens = TENS.indexOf(word);
    const teen = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
      .split(" ")
      .indexOf(word);
    return tens >= 0 ? (tens + 2) * 10 : teen >= 0 ? teen + 10 : Math.max(0, DIGIT_WORDS.indexOf(word));
  };
  return century + words.slice(1).reduce((total, word) => total + value(word), 0);
}

/** Writes another date in the same form; a year of two digits gets four, so that it is recognizable as a pseudonym. */
function written(match: RegExpMatchArray, date: CalendarDate): string {
  const { year = "", month = "", day = "" } = match.groups ?? {};
  const made: { readonly [group: string]: string } = {
    year: yearLike(year, date.year),
    month: monthLike(month, date.month),
    day: dayLike(day, date.day),
  };
  const places = Object.entries(match.indices?.groups ?? {})
    .flatMap(([group, place]) => (place && group !== "mark" ? [{ group, start: place[0], end: place[1] }] : []))
    .sort((a, b) => b.start - a.start);
  const from = match.index ?? 0;
  return places.reduce(
    (text, { group, start, end }) => text.slice(0, start - from) + (made[group] ?? "") + text.slice(end - from),
    match[0],
  );
}

function yearLike(model: string, year: number): string {
  return /\d/.test(model) ? String(year) : `nineteen oh ${DIGIT_WORDS[year % 10]}`;
}

function monthLike(model: string, month: number): string {
  if (/\d/.test(model)) return String(month).padStart(model.length, "0");
  const name = namesLike(model)[month - 1] ?? "";
  const short = model.replace(".", "").length <= 4 && name.length > 4 && !monthNames().has(model.toLowerCase());
  return inCaseOf(short ? name.slice(0, 3) : name, model);
}

function monthNames(): ReadonlySet<string> {
  return new Set(LANGUAGES.flat());
}

function dayLike(model: string, day: number): string {
  const ordinal = /(?:st|nd|rd|th)$/.test(model);
  if (model === "1er" || /^\d+er$/.test(model)) return day === 1 ? "1er" : String(day);
  if (!/\d/.test(model)) return day <= 20 ? (ORDINALS[day - 1] ?? "") : `twenty ${ORDINALS[day - 21]}`;
  if (!ordinal) return String(day).padStart(model.length, "0");
  const end = day > 3 && day < 21 ? "th" : (["th", "st", "nd", "rd"][day % 10] ?? "th");
  return `${day}${end}`;
}
