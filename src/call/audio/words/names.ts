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
export function spokenNames(text: string, known: readonly string[] = []): readonly TextPlace[] {
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
