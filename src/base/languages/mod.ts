export { type Calendar, type CalendarReader, calendarOf, createCalendarReader } from "./calendar.ts";
export { guessLanguage, type LanguageGuess, languageName, languageOf, languageOfTag, languagesIn } from "./detect.ts";
export { createNumberReader, type NumberReader, plainDigits, type SpokenNumber } from "./numbers.ts";
export { TABLES } from "./tables/mod.ts";
export { LANGUAGES, type Language, type LanguageTable } from "./types.ts";
