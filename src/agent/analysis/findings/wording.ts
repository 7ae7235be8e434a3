/** Words that conditions start with or that carry no meaning of their own. */
const FILLERS = new Set(
  "a an the if when whenever once is are was has have had to of for in on at and or that this their his her its user caller customer client they he she".split(
    " ",
  ),
);

/** A condition without regard to case, punctuation and spaces. */
export function plainWords(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}{}]+/gu, " ")
    .trim();
}

/** The words of a condition that carry its meaning, in alphabetical order. Empty where fewer than two are left. */
export function meaningOf(text: string): string {
  const words = new Set(
    plainWords(text)
      .split(" ")
      .filter((word) => !FILLERS.has(word))
      .map(stem),
  );
  return words.size < 2 ? "" : [...words].sort().join(" ");
}

/** `ask` for `asks`, `asked` and `asking`: enough to see that two conditions use the same words. */
function stem(word: string): string {
  return word.length > 3 ? word.replace(/(?:ing|ed|s)$/, "") : word;
}
