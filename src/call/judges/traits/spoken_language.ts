import { createRequire } from "node:module";
import { CallweaveError } from "../../../base/errors.ts";
import { isRecord } from "../../../base/values/mod.ts";

/** Whether a text is in a language; `undefined` if it has too few words, or if nothing is known of the language. */
export type LanguageTest = (text: string) => boolean | undefined;

/** Words from which on a text shows its language. */
const LEAST_WORDS = 3;
/** Share of the letters that are in the script of a language. */
const LEAST_LETTERS = 0.5;

/**
 * Creates a test for the language of a tag: by its script and, for scripts that several languages have, by its frequent
 * words (`stopwords-iso`).
 *
 * @throws {CallweaveError} `missing-package`.
 */
export function createLanguageTest(tag: string): LanguageTest {
  const { language, script = "Latn" } = new Intl.Locale(tag).maximize();
  const letters = scriptPattern(script);
  const isInScript = (text: string) =>
    (text.match(letters)?.length ?? 0) >= LEAST_LETTERS * (text.match(/\p{L}/gu)?.length ?? 0);
  const rivals = lists(script);
  const own = rivals.get(language);
  return (text) => {
    const words = wordsOf(text);
    if (!isInScript(text)) return words.length > 0 ? false : undefined;
    if (SINGLE.has(script)) return true;
    if (words.length < LEAST_WORDS || !own) return undefined;
    const share = (list: ReadonlySet<string>) => words.filter((word) => list.has(word)).length;
    const mine = share(own);
    const best = Math.max(...[...rivals.values()].map(share));
    if (best === 0) return undefined;
    return mine === best;
  };
}

/** Scripts that one language has, or that one does not tell apart by frequent words. */
const SINGLE: ReadonlySet<string> = new Set([
  "Jpan",
  "Kore",
  "Hans",
  "Hant",
  "Thai",
  "Grek",
  "Hebr",
  "Armn",
  "Geor",
  "Taml",
  "Telu",
  "Beng",
  "Gujr",
]);

/** The languages whose words are compared, by script. English has words of many others in its list. */
const RIVALS: { readonly [script: string]: readonly string[] } = {
  Latn: ["en", "de", "fr", "es", "pt", "it", "nl", "sv", "da", "no", "fi", "pl", "cs", "tr", "id", "ro", "hu"],
  Cyrl: ["ru", "uk", "bg"],
  Arab: ["ar", "fa", "ur"],
  Deva: ["hi", "mr"],
};

function scriptPattern(script: string): RegExp {
  if (script === "Jpan") return /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/gu;
  if (script === "Kore") return /[\p{Script=Hangul}\p{Script=Han}]/gu;
  if (script === "Hans" || script === "Hant") return /\p{Script=Han}/gu;
  try {
    return new RegExp(`\\p{Script=${script}}`, "gu");
  } catch {
    return /\p{L}/gu;
  }
}

function lists(script: string): ReadonlyMap<string, ReadonlySet<string>> {
  const languages = RIVALS[script] ?? [];
  if (languages.length === 0) return new Map();
  const all = stopwords();
  return new Map(
    languages.flatMap((language) => {
      const words = all[language];
      return Array.isArray(words) ? [[language, new Set(words.map(String).filter(isTelling))] as const] : [];
    }),
  );
}

/** Whether a word is more than a letter; the lists also have single letters. */
function isTelling(word: string): boolean {
  return word.length > 1;
}

function stopwords(): { readonly [language: string]: unknown } {
  try {
    const found: unknown = createRequire(import.meta.url)("stopwords-iso/stopwords-iso.json");
    return isRecord(found) ? found : {};
  } catch (cause) {
    throw new CallweaveError("Cannot audit the language of a caller: the lists of words cannot be read", {
      code: "missing-package",
      hint: "Run npm install stopwords-iso",
      cause,
    });
  }
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}]+(?:['’][\p{L}]+)?/gu) ?? [];
}
