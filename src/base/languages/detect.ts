import { TABLES } from "./tables/mod.ts";
import { LANGUAGES, type Language } from "./types.ts";

/** What a text's words say about its language. */
export interface LanguageGuess {
  readonly language: Language;
  /** Number of words and letters that speak for the language, less those for the next one. */
  readonly lead: number;
  /** Share of the words that the language's frequent words are, from 0 to 1. */
  readonly share: number;
}

/** Lead that is enough for an answer. */
const CLEAR = 0.5;
/** At least this share of the words of a longer text are frequent ones. */
const LEAST_SHARE = 0.15;
/** A text with fewer words is short. */
const SHORT = 6;

/**
 * The language of a text; `undefined` if its words do not tell, or tell another language than those with a table.
 *
 * Japanese, Hindi and Arabic are told by their letters, all others by frequent words and by letters that only one of them has.
 */
export function languageOf(text: string, among: readonly Language[] = LANGUAGES): Language | undefined {
  return guessLanguage(text, among)?.language;
}

/** Lead of a single line that is in another language than the rest. */
const SURE = 2;

/** The languages of the lines of a conversation, the main one first, then those that a line plainly shows. */
export function languagesIn(lines: readonly string[]): readonly Language[] {
  const main = languageOf(lines.join(" "));
  const counts = new Map<Language, number>(main ? [[main, Number.POSITIVE_INFINITY]] : []);
  for (const line of lines) {
    const guess = guessLanguage(line);
    if (guess && guess.lead >= SURE) counts.set(guess.language, (counts.get(guess.language) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1]).map(([language]) => language);
}

/** The language of a tag such as `de-AT` or `pt_BR`, or of its English name; `undefined` for others, such as `multi`. */
export function languageOfTag(tag: string): Language | undefined {
  const first = tag.trim().toLowerCase().split(/[-_]/)[0] ?? "";
  return LANGUAGES.find((language) => language === first || TABLES[language].name.toLowerCase() === first);
}

/** The English name of a language. */
export function languageName(language: Language): string {
  return TABLES[language].name;
}

/** What {@link languageOf} is made of. */
export function guessLanguage(given: string, among: readonly Language[] = LANGUAGES): LanguageGuess | undefined {
  const text = given.normalize("NFC").replace(NO_WORDS, " ");
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (letters === 0) return undefined;
  const scripted = languageByScript(text, letters);
  if (scripted !== null) return scripted && among.includes(scripted.language) ? scripted : undefined;
  return languageByWords(text, among);
}

/** Placeholders, addresses, code and names of tools: they have no language. */
const NO_WORDS = /\{\{[^{}]*\}\}|\{%[^{}]*%\}|<[^<>]*>|https?:\/\/\S+|\S+@\S+|`[^`]*`|\p{L}*[_\d]\S*/gu;
/** Letters of Persian, Urdu, Pashto and other languages in the Arabic script. */
const NOT_ARABIC = /[پچژگکیٹڈڑںےہھۃ]/gu;
/** Words of Marathi and Nepali, which Hindi does not have. */
const NOT_HINDI = /(?<![\p{L}\p{M}])(?:आहे|आहेत|मला|तुम्ही|आणि|छ|छन्|हुन्छ|तपाईं|गर्नुहोस्|मलाई)(?![\p{L}\p{M}])/u;

/** `null`: the letters are Latin, so that words must tell. `undefined`: another language. */
function languageByScript(text: string, letters: number): LanguageGuess | undefined | null {
  const count = (form: RegExp) => text.match(form)?.length ?? 0;
  const sure = (language: Language, of: number): LanguageGuess => ({ language, lead: of, share: 1 });
  const kana = count(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu);
  const han = count(/\p{Script=Han}/gu);
  if (kana > 0 && kana + han > letters / 2) return sure("ja", kana);
  const devanagari = count(/\p{Script=Devanagari}/gu);
  if (devanagari > letters / 2) return NOT_HINDI.test(text) ? undefined : sure("hi", devanagari);
  const arabic = count(/\p{Script=Arabic}/gu);
  if (arabic > letters / 2) return count(NOT_ARABIC) > 0 ? undefined : sure("ar", arabic);
  return count(/\p{Script=Latin}/gu) > letters / 2 ? null : undefined;
}

/** The Latin languages of each frequent word, and of each word for a number. */
function languagesOfWords(): ReadonlyMap<string, readonly Language[]> {
  const found = new Map<string, Language[]>();
  for (const language of LANGUAGES) {
    const { script, functionWords, numbers } = TABLES[language];
    if (script !== "Latin") continue;
    const words = `${functionWords} ${numbers.small} ${numbers.tens}`.split(/[ |]/);
    for (const word of new Set(words)) found.set(word, [...(found.get(word) ?? []), language]);
  }
  return found;
}

const WORDS = languagesOfWords();
/** Letters of languages without a table: Polish, Czech, Romanian, Turkish, Hungarian, Vietnamese and the like. */
const FOREIGN = /[łąęśźżćńčšžřěůťďňșțăğışőűåøæđươạảấầẩậắằẳặẹẻẽếềểễệỉịọỏốồổỗộớờởợụủứừửữựỳỵỷỹ]/giu;
/** What a letter counts against a word. */
const LETTER = 0.5;

function languageByWords(text: string, among: readonly Language[]): LanguageGuess | undefined {
  const words =
    text
      .toLowerCase()
      .replaceAll("’", "'")
      .match(/\p{L}[\p{L}\p{M}]*(?:'\p{L}+)*/gu) ?? [];
  const score = new Map<Language, number>();
  const hits = new Map<Language, number>();
  const add = (to: Map<Language, number>, language: Language, by: number) =>
    to.set(language, (to.get(language) ?? 0) + by);
  for (const word of words) {
    // French and Italian join words: "l'ordine", "j'ai"
    const parts = WORDS.has(word) ? [word] : word.split("'");
    for (const part of parts) {
      const languages = (WORDS.get(part) ?? []).filter((language) => among.includes(language));
      for (const language of languages) {
        add(score, language, 1 / languages.length);
        add(hits, language, 1);
      }
    }
    for (const language of among)
      if ([...(TABLES[language].letters ?? "")].some((letter) => word.includes(letter))) add(score, language, LETTER);
  }
  const foreign = words.filter((word) => word.search(FOREIGN) >= 0).length;
  const [first, second] = [...score].sort((a, b) => b[1] - a[1]);
  if (!first) return undefined;
  const [language, best] = first;
  const lead = best - (second?.[1] ?? 0);
  const share = (hits.get(language) ?? 0) / words.length;
  if (lead < CLEAR || foreign > (hits.get(language) ?? 0)) return undefined;
  if (words.length >= SHORT && share < LEAST_SHARE) return undefined;
  return { language, lead, share };
}
