import { diffArrays } from "diff";
import type { LostItem } from "../../../document/transcript/mod.ts";
import { spokenNames } from "./names.ts";
import { spokenWords } from "./spoken_words.ts";

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
