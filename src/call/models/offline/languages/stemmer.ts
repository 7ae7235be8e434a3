import type { LanguageTable } from "../../../../base/languages/mod.ts";
import type { StemmedWord, Tongue } from "../tongue.ts";
import type { SpeechTable } from "./table.ts";

/** Number of words that a negation applies to. */
const REACH = 4;
/** Minimum number of letters that stay of a word. */
const LEAST_STEM = 3;

/** Creates the functions that compare words of a language. */
export function createStemmer(
  table: SpeechTable,
  own: LanguageTable,
): Pick<Tongue, "significantWords" | "stem" | "sameMeaning"> {
  const stem = table.code === "ja" ? (word: string) => word : stemmerOf(table);
  const stop = new Set(
    `${own.functionWords} ${table.speakers}`
      .split(/\s+/)
      .flatMap((word) => [normal(word), ...word.split("'").map(normal)]),
  );
  const groups = table.synonyms.map((group) => new Set(group.split(" ").map((word) => stem(normal(word)))));
  const negations = new RegExp(`^(?:${table.negations})$`, "iu");
  return {
    stem: (word) => stem(normal(word)),
    significantWords: table.code === "ja" ? (text) => japaneseWords(text, stop) : spacedWords,
    sameMeaning: (a, b) => {
      if (a === b) return true;
      if (a.startsWith("!") !== b.startsWith("!")) return false;
      const [left, right] = [a.replace("!", ""), b.replace("!", "")];
      return groups.some((group) => group.has(left) && group.has(right));
    },
  };

  function spacedWords(text: string): readonly StemmedWord[] {
    const words: StemmedWord[] = [];
    let negated = 0;
    for (const match of text.toLowerCase().matchAll(/[\p{L}\p{M}\p{N}]+|[.,;:!?،؟।]/gu)) {
      const [shown] = match;
      if (/^[.,;:!?،؟।]$/.test(shown)) negated = 0;
      else if (negations.test(shown)) negated = REACH;
      else {
        const word = normal(shown);
        if (!stop.has(word) && (word.length > 1 || /\p{N}|\p{Lo}/u.test(word)))
          words.push({ stem: `${negated > 0 ? "!" : ""}${stem(word)}`, at: match.index });
        if (negated > 0) negated--;
      }
    }
    return words;
  }
}

/** Without vowel signs and the forms of letters that people write differently. */
function normal(word: string): string {
  return word
    .toLowerCase()
    .normalize("NFC")
    .replace(/[\u064B-\u0652\u0640]/g, "")
    .replace(/[أإآ]/g, "ا")
    .replace(/ى/g, "ي")
    .replace(/ة/g, "ه")
    .replace(/\u093C/g, "")
    .replace(/[\u095B\u095E]/g, (sign) => (sign === "\u095B" ? "ज" : "फ"));
}

function stemmerOf({ code, endings }: SpeechTable): (word: string) => string {
  const list = endings.split("|").filter((each) => !/[?[(]/.test(each));
  const patterns = endings.split("|").filter((each) => /[?[(]/.test(each));
  const plain = new RegExp(`(?:${[...patterns, ...list.sort((a, b) => b.length - a.length)].join("|")})$`, "u");
  return (word) => {
    const bare = code === "ar" ? word.replace(/^(?:و|ف)?(?:ب|ك|ل)?ال(?=.{2})|^لل(?=.{2})/, "") : word;
    if (bare.length <= LEAST_STEM || /\p{N}/u.test(bare)) return bare;
    // a verb and a noun differ in more than one ending: "annuler", "annulation"
    let cut = bare;
    for (let round = 0; round < 2; round++) {
      const shorter = cut.replace(plain, "");
      if (shorter.length < LEAST_STEM) break;
      cut = shorter;
    }
    return cut;
  };
}

/** Runs of kanji as pairs of signs, and runs of katakana, letters and digits as words. Hiragana is grammar. */
function japaneseWords(text: string, stop: ReadonlySet<string>): readonly StemmedWord[] {
  const words: StemmedWord[] = [];
  for (const match of text.matchAll(/[\p{Script=Han}々]+|[\p{Script=Katakana}ー]{2,}|[A-Za-z0-9０-９]+/gu)) {
    const [run] = match;
    const isNegated = /^[\p{Script=Hiragana}]{0,5}?(?:ない|ません|なかった)/u.test(
      text.slice(match.index + run.length),
    );
    const pieces =
      /\p{Script=Han}/u.test(run) && run.length > 2
        ? Array.from({ length: run.length - 1 }, (_, index) => ({
            piece: run.slice(index, index + 2),
            at: match.index + index,
          }))
        : [{ piece: run.toLowerCase(), at: match.index }];
    for (const { piece, at } of pieces)
      if (!stop.has(piece)) words.push({ stem: `${isNegated ? "!" : ""}${piece}`, at });
  }
  return words;
}
