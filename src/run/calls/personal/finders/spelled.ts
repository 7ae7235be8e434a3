import { plainWord } from "../dictionary.ts";
import { inCaseOf } from "../pseudonyms.ts";
import type { Finder, FoundData } from "./found.ts";
import { asksName, NAME_CUE } from "./name_cues.ts";

/** "M A R I A", "M-A-R-I-A", "M. A. R. I. A.", "M as in Mike, A as in Alpha" */
const AS_IN = "(?:,? (?:as in|like|for|wie) \\p{L}+)?";
const RUN = new RegExp(`(?<![\\p{L}\\d'’])(?:\\p{L}${AS_IN}(?:[ ]?[-.,] ?| ))+\\p{L}${AS_IN}(?![\\p{L}\\d'’])`, "gu");
const SPELLING = /\b(?:spell(?:ed|ing|s)?|spelt|letters?|name(?: is|'s)?|that['’]s|it['’]s)\b[^?!]{0,40}$/i;
const CODE =
  /\b(?:code|confirmation|reference|order|flight|booking|reservation|ticket|locator|pnr|number|plate|vin|model|serial)\b[^.?!]{0,30}$/i;

/** Finds names that are spelled letter by letter. */
export const findSpelled: Finder = (text, { asked, key, language }, { dictionary, pool }, known) => {
  if (key !== "" || !/\p{L}[ .,-]/u.test(text)) return [];
  return [...text.matchAll(RUN)].flatMap(({ index, 0: shown }): readonly FoundData[] => {
    const letters = [...shown.matchAll(/(?<!\p{L})(\p{L})(?!\p{L})/gu)];
    const word = plainWord(letters.map(({ 1: letter = "" }) => letter).join(""));
    if (word.length < 2 || pool.has(word)) return [];
    const before = text.slice(Math.max(0, index - 70), index);
    const isKnown = known.names.has(word) || known.names.has(withoutParticles(word));
    const isSpelled = (SPELLING.test(before) || NAME_CUE.test(before) || asksName(asked)) && !CODE.test(before);
    const isName =
      word.length >= 4 && dictionary.isName(word) && !dictionary.isWord(word, language) && !CODE.test(before);
    if (!isKnown && !isName && !(isSpelled && word.length >= 3)) return [];
    return [
      {
        start: index,
        end: index + shown.length,
        learn: ({ names }) => {
          names.add(word);
          const base = withoutParticles(word);
          if (base.length > 2) names.add(base);
        },
        replacement: () => respelled(shown, pool.nameOf(word)),
      },
    ];
  });
};

/** "vanderberg" as "berg" */
function withoutParticles(word: string): string {
  return word.replace(/^(?:von|van|der|del?|la|al|el)+/, "");
}

/** Spells another name with the same separators. */
function respelled(shown: string, name: string): string {
  const separator = /^\p{L}(?:,? (?:as in|like|for|wie) \p{L}+)?( ?[-.,] ?| )/u.exec(shown)?.[1] ?? " ";
  const model = shown[0] ?? "";
  const letters = [...name].map((letter) => inCaseOf(letter, model));
  const end = /[.]$/.test(shown) ? "." : "";
  return letters.join(separator) + end;
}
