import type { Language } from "./sentences.ts";

/** Names of days and months in a language. */
export interface Calendar {
  /** From Monday. */
  readonly days: readonly string[];
  readonly months: readonly string[];
}

/** Names of days and months as people write them within a sentence. */
export const CALENDARS: { readonly [language in Language]: Calendar } = {
  en: calendarOf("en"),
  de: calendarOf("de"),
  fr: calendarOf("fr"),
  es: calendarOf("es"),
};

function calendarOf(language: Language): Calendar {
  const days = new Intl.DateTimeFormat(language, { weekday: "long", timeZone: "UTC" });
  const months = new Intl.DateTimeFormat(language, { month: "long", timeZone: "UTC" });
  return {
    days: Array.from({ length: 7 }, (_, index) => days.format(Date.UTC(2024, 0, 1 + index))),
    months: Array.from({ length: 12 }, (_, index) => months.format(Date.UTC(2024, index, 1))),
  };
}
