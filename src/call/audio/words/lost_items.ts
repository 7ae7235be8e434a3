import { diffArrays } from "diff";
import { distance } from "fastest-levenshtein";
import type { LostItem, WordChange } from "../../../document/transcript/mod.ts";
import { spokenWords } from "./written_words.ts";

/** The word differences between the written text and the transcription. */
export interface ComparedWords {
  /** Number of written words. */
  readonly words: number;
  /** Minimum number of words to replace, remove and add. */
  readonly errors: number;
  readonly changes: readonly WordChange[];
}

/** Compares two texts word by word, numbers by their digits. */
export function compareWords(written: string, heard: string): ComparedWords {
  const before = spokenWords(written).map(({ word }) => word);
  const after = spokenWords(heard).map(({ word }) => word);
  const changes = diffArrays(before, after).map(
    ({ added, removed, value }): WordChange => ({
      kind: added ? "added" : removed ? "missing" : "same",
      words: value.join(" "),
    }),
  );
  return { words: before.length, errors: wordDistance(before, after), changes };
}

/** Errors per written word; 0 if both texts are empty, 1 if only the written one is. */
export function wordErrorRate({ words, errors }: Pick<ComparedWords, "words" | "errors">): number {
  return words === 0 ? Math.min(1, errors) : errors / words;
}

/** The Levenshtein distance over words: each distinct word is mapped to one character for the library. */
function wordDistance(before: readonly string[], after: readonly string[]): number {
  const letters = new Map([...new Set([...before, ...after])].map((word, index) => [word, String.fromCharCode(index)]));
  const coded = (words: readonly string[]) => words.map((word) => letters.get(word) ?? "").join("");
  return distance(coded(before), coded(after));
}

/** Words that are rarely meant as numbers when alone. */
const WEAK = /^(?:one|first|second)$/i;
/** Names and addresses of at least this length are also found if their parts are joined or split. */
const LONG_ENOUGH = 5;

/**
 * Lists the numbers, names and e-mail addresses of a text that were not heard.
 *
 * @param known Names that occur in the call, such as values of variables. Other names are found by their capitals.
 */
export function lostItems(written: string, heard: string, known: readonly string[] = []): readonly LostItem[] {
  const text = written.normalize("NFC");
  const words = spokenWords(text);
  const kept = keptWords(words, spokenWords(heard));
  const squashed = squash(heard);
  const survives = (start: number, end: number) =>
    words.every((each, index) => each.end <= start || each.start >= end || kept.has(index)) ||
    (squash(text.slice(start, end)).length >= LONG_ENOUGH && squashed.includes(squash(text.slice(start, end))));
  const numbers = words.flatMap((each, index) => {
    const item = text.slice(each.start, each.end);
    return each.kind === "number" && !WEAK.test(item) && !kept.has(index) ? [item] : [];
  });
  const emails = words.filter(({ kind }) => kind === "email").map(({ start, end }) => ({ start, end }));
  const names = spokenNames(text, known);
  const lost = (places: readonly { readonly start: number; readonly end: number }[]) =>
    places.filter(({ start, end }) => !survives(start, end)).map(({ start, end }) => text.slice(start, end));
  return [
    ...unique(numbers).map((item): LostItem => ({ kind: "number", written: item })),
    ...unique(lost(names)).map((item): LostItem => ({ kind: "name", written: item })),
    ...unique(lost(emails)).map((item): LostItem => ({ kind: "email", written: item })),
  ];
}

/** Indexes of the written words that were heard, in their order; a number only with all its digits. */
function keptWords(
  written: ReturnType<typeof spokenWords>,
  heard: ReturnType<typeof spokenWords>,
): ReadonlySet<number> {
  const before = written.flatMap(({ word }, index) => atoms(word).map((atom) => ({ atom, index })));
  const after = heard.flatMap(({ word }) => atoms(word));
  const lost = new Set<number>();
  let at = 0;
  const parts = diffArrays(
    before.map(({ atom }) => atom),
    after,
  );
  for (const { added, removed, value } of parts) {
    if (added) continue;
    for (const { index } of before.slice(at, at + value.length)) if (removed) lost.add(index);
    at += value.length;
  }
  return new Set([...written.keys()].filter((index) => !lost.has(index)));
}

/** A number is compared digit by digit. */
function atoms(word: string): readonly string[] {
  return /^\d+$/.test(word) ? [...word] : [word];
}

/** A text without the spaces between its spoken words. */
function squash(text: string): string {
  return spokenWords(text)
    .map(({ word }) => word)
    .join("");
}

function unique(items: readonly string[]): readonly string[] {
  return [...new Set(items)];
}

/** A part of a text. */
export interface TextPlace {
  readonly start: number;
  readonly end: number;
}

const CAPITALIZED = /\p{Lu}\p{L}*\p{Ll}\p{L}*(?:['’-]\p{L}+)*/u;
const NAME = new RegExp(`(?<![\\p{L}\\p{N}@.])${CAPITALIZED.source}(?: ${CAPITALIZED.source})*`, "gu");
/** A sentence starts at the beginning, and after its end unless that is the point of a title. */
const SENTENCE_START = /(?:^|[.!?:\n]["'”’)]*\s+|\n)["'“‘(]*$/u;
const TITLE = /\b(?:Mr|Mrs|Ms|Dr|St|Prof|Mt)\.\s*$/u;
const TITLES = /^(?:Mr|Mrs|Ms|Dr|St|Prof|Mt)$/u;
const PRONOUN = /^I['’]\p{L}+/u;
/** Longer values are texts, not names. */
const LONGEST = 40;

/**
 * Finds names in a text: words with a capital inside a sentence, and known names anywhere. The first word of a sentence
 * is a name only where it is known.
 */
function spokenNames(text: string, known: readonly string[] = []): readonly TextPlace[] {
  const found = [...text.matchAll(NAME)].flatMap((match): readonly TextPlace[] => {
    const before = text.slice(0, match.index);
    const [first = ""] = match[0].split(" ");
    const isStart = (SENTENCE_START.test(before) && !TITLE.test(before)) || PRONOUN.test(first) || TITLES.test(first);
    const skipped = isStart ? first.length + 1 : 0;
    const start = match.index + skipped;
    const end = match.index + match[0].replace(/['’]s$/u, "").length;
    return start < end ? [{ start, end }] : [];
  });
  const more = known.filter(isName).flatMap((name) => placesOf(text, name));
  const outside = (place: TextPlace, others: readonly TextPlace[]) =>
    !others.some(({ start, end }) => place.start < end && start < place.end);
  return [...found, ...more.filter((place) => outside(place, found))].sort((a, b) => a.start - b.start);
}

function isName(value: string): boolean {
  return value.length <= LONGEST && /^\p{Lu}[\p{L}'’ -]+$/u.test(value);
}

function placesOf(text: string, name: string): readonly TextPlace[] {
  const places: TextPlace[] = [];
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
    const isWhole = !/[\p{L}\p{N}]$/u.test(text.slice(0, at)) && !/^[\p{L}\p{N}]/u.test(text.slice(at + name.length));
    if (isWhole) places.push({ start: at, end: at + name.length });
  }
  return places;
}
