/** Languages with a table, by their ISO 639-1 code. */
export const LANGUAGES = ["en", "de", "fr", "es", "pt", "it", "nl", "hi", "ja", "ar"] as const;

/** A language with a table. */
export type Language = (typeof LANGUAGES)[number];

/** Number words of a language. Lists are separated by spaces, several words for one number by `|`. */
export interface NumberWords {
  /** From 0 on: to 19, or further where each number has a word of its own. */
  readonly small: string;
  /** 20, 30 to 90; `-` where `small` has it. */
  readonly tens: string;
  /** Words for 100, 1,000 and 100,000; `""`: none. */
  readonly powers: { readonly 100: string; readonly 1000: string; readonly 100000?: string };
  /** Words for 200, 300 to 900, where they are one word. */
  readonly hundreds?: string;
  /** Words inside of numbers: "and". */
  readonly and: string;
  /** Between a unit and the tens in one word: `einundzwanzig`. */
  readonly unitBeforeTens?: string;
  /** "And" as the beginning of a word: `وعشرون`. */
  readonly prefixedAnd?: string;
  /** The number that follows a unit in 11 to 19, where they are two words: `سبعة عشر`. */
  readonly teens?: number;
  /** Numbers to which 1 to 19 are added: `soixante-dix`, `quatre-vingt-dix`. */
  readonly twenties?: { readonly [word: string]: number };
}

/** What a language has by itself, whatever is said in it. Words are in lower case; alternatives are separated by `|`. */
export interface LanguageTable {
  readonly code: Language;
  /** The name of the language in English. */
  readonly name: string;
  /** The writing system of its words. */
  readonly script: "Latin" | "Devanagari" | "Japanese" | "Arabic";
  /** Frequent words of grammar and politeness, separated by spaces. */
  readonly functionWords: string;
  /** Letters that only some languages have. */
  readonly letters?: string;
  readonly numbers: NumberWords;
  /** Days that are named from today on, and what stands before or after the name of a day. */
  readonly days: string;
  /** What follows or precedes the number of an hour, and times of the day. `#` is the number. */
  readonly times: readonly string[];
  /** A day and a month, where `#` is the day and `@` the month. */
  readonly dates: readonly string[];
  /** Other names of months than those of CLDR. */
  readonly months?: readonly string[];
  /** Other names of days of the week. */
  readonly weekdays?: readonly string[];
}
