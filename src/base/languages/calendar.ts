import { plainDigits } from "./numbers.ts";
import type { LanguageTable } from "./types.ts";

/** The names of months and days in a language, by CLDR, and others that people use. */
export interface Calendar {
  /** From January on, in lower case. */
  readonly months: readonly string[];
  /** From Monday on, in lower case. */
  readonly weekdays: readonly string[];
}

/** Reads the names of months and days from the runtime's CLDR data. */
export function calendarOf(tag: string): Calendar {
  const name = (options: Intl.DateTimeFormatOptions, date: number) =>
    new Intl.DateTimeFormat(tag, { ...options, timeZone: "UTC" }).format(date).toLowerCase();
  return {
    months: Array.from({ length: 12 }, (_, index) => name({ month: "long" }, Date.UTC(2024, index, 1))),
    weekdays: Array.from({ length: 7 }, (_, index) => name({ weekday: "long" }, Date.UTC(2024, 0, 1 + index))),
  };
}

/** Finds dates and times in the words of a language, as they were said. */
export interface CalendarReader {
  readonly dateIn: (text: string) => string | undefined;
  readonly timeIn: (text: string) => string | undefined;
}

/** Between words that are said in one. */
const GAP = "[\\s-]+";

/** Creates the reader of a language. */
export function createCalendarReader(table: LanguageTable): CalendarReader {
  const { months, weekdays } = calendarOf(table.code);
  const isJapanese = table.script === "Japanese";
  const named = [...(isJapanese ? [] : months), ...(table.months ?? [])].sort((a, b) => b.length - a.length).join("|");
  const days = [...weekdays, ...(table.weekdays ?? [])].sort((a, b) => b.length - a.length).join("|");
  const number = isJapanese ? "[\\d〇一二三四五六七八九十]+" : `(?:\\d{1,2}(?:[:.h]\\d{2})?|${numberWords(table)})`;
  const edges = (pattern: string) =>
    new RegExp(isJapanese ? pattern : `(?<![\\p{L}\\p{M}\\d])(?:${pattern})(?![\\p{L}\\p{M}\\d])`, "iu");
  const numeric =
    "\\d{4}-\\d{2}-\\d{2}|\\d{1,2}[./]\\d{1,2}[./]\\d{2,4}|\\d{1,2}\\.\\d{1,2}\\.(?!\\d)|\\d{1,2}/\\d{1,2}(?!\\d)";
  const forms = table.dates.map((form) => form.replaceAll("#", number).replaceAll("@", `(?:${named})`));
  const relative = table.days.replaceAll("@", `(?:${days})`);
  const date = edges([...forms, numeric, days, relative].join("|"));
  const hours = table.times.map((form) => form.replaceAll("#", number)).join("|");
  const time = edges(`(?:[01]?\\d|2[0-3]):[0-5]\\d|${hours}`);
  const found = (form: RegExp) => (text: string) => {
    const match = form.exec(plainDigits(text));
    // digits of other scripts stay as they were said
    return match ? text.slice(match.index, match.index + match[0].length).trim() : undefined;
  };
  return { dateIn: found(date), timeIn: found(time) };
}

/** The words for 1 to 59, the longest first. */
function numberWords(table: LanguageTable): string {
  const { small, tens, and } = table.numbers;
  const ones = small.split(" ").flatMap((forms) => forms.split("|"));
  const rows = tens
    .split(" ")
    .slice(0, 4)
    .flatMap((forms) => (forms === "-" ? [] : forms.split("|")));
  const alternatives = (words: readonly string[]) => [...words].sort((a, b) => b.length - a.length).join("|");
  const unit = alternatives(ones);
  const compound = table.numbers.unitBeforeTens ? `(?:${unit})(?:und|en|ën)(?:${alternatives(rows)})|` : "";
  const separate =
    rows.length === 0 ? "" : `(?:${alternatives(rows)})(?:${GAP}(?:(?:${and || "\\b"})${GAP})?(?:${unit}))?|`;
  const joined = table.code === "it" ? `(?:${rows.map((row) => row.slice(0, -1)).join("|")})[aeio]?(?:${unit})|` : "";
  return `(?:${compound}${joined}${separate}${unit})`;
}
