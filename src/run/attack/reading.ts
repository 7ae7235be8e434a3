/** Letters of the spelling alphabet of the telephone, by their words. */
const ALPHABET: ReadonlyMap<string, string> = new Map(
  (
    "alpha alfa bravo charlie delta echo foxtrot golf hotel india juliet juliett kilo lima mike november oscar papa " +
    "quebec romeo sierra tango uniform victor whiskey xray yankee zulu"
  )
    .split(" ")
    .map((word) => [word, word.slice(0, 1)]),
);
const DIGITS: ReadonlyMap<string, string> = new Map([
  ...["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"].map(
    (word, index) => [word, String(index)] as const,
  ),
  ["oh", "0"],
]);
/** Words of the spelling alphabet in a row that are no accident. */
const LEAST_SPELLED = 4;

/** Letters and digits of a text, in small letters, without anything between them. */
export function squeezed(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "");
}

/** Words of a text in small letters. */
export function wordsOf(text: string): readonly string[] {
  return (
    text
      .normalize("NFC")
      .toLowerCase()
      .replaceAll("’", "'")
      .match(/[\p{L}\p{N}']+/gu) ?? []
  );
}

/**
 * What can be read in a text, squeezed: the text itself, which also shows what is spelled with hyphens or blanks; its
 * digits where they are words; what the alphabet of the telephone spells; the text backwards; and what is in base64.
 */
export function readingsOf(text: string): readonly string[] {
  const plain = squeezed(text);
  const words = wordsOf(text);
  const digits = squeezed(words.map((word) => DIGITS.get(word) ?? word).join(" "));
  const spelled = words.map((word) => ALPHABET.get(word.replaceAll("-", "")) ?? "");
  const isSpelled = spelled.filter((letter) => letter !== "").length >= LEAST_SPELLED;
  return [
    plain,
    ...(digits === plain ? [] : [digits]),
    [...plain].reverse().join(""),
    ...(isSpelled ? [spelled.join("")] : []),
    ...encodedIn(text),
  ];
}

function encodedIn(text: string): readonly string[] {
  return (text.match(/[A-Za-z0-9+/]{12,}={0,2}/g) ?? []).flatMap((token) => {
    try {
      const decoded = squeezed(atob(token));
      return decoded.length >= 6 ? [decoded] : [];
    } catch {
      return [];
    }
  });
}

/** Whether a text says something, in any of its readings. */
export function isSaid(something: string, text: string): boolean {
  const wanted = squeezed(something);
  return wanted !== "" && readingsOf(text).some((reading) => reading.includes(wanted));
}

/** Sentences of a text. */
export function sentencesOf(text: string): readonly string[] {
  return text
    .split(/(?<=[.!?。])\s+|\n+/)
    .map((sentence) => sentence.replace(/^[\s\-*•#\d.)]+(?=\p{L})/u, "").trim())
    .filter((sentence) => sentence !== "");
}

const NEGATIVE =
  /\b(?:not|no|never|cannot|can['’]?t|won['’]?t|don['’]?t|doesn['’]?t|isn['’]?t|unable|sorry|nor|without|refuse|instead)\b|n['’]t\b|\b(?:nicht|kein\w*|nein|pas|jamais|nunca|tampoco)\b/i;

/** Whether a sentence denies or refuses what it is about. */
export function isRefused(sentence: string): boolean {
  return NEGATIVE.test(sentence);
}
