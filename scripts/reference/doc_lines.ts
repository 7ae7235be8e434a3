import type { PublicSymbol } from "./symbols.ts";

/** Words without meaning of their own. */
const EMPTY = new Set(
  "a an the of for to in on by with and or its it is are be one any each every all this that some what which who see how when as from type interface function class value object".split(
    " ",
  ),
);

/** The first line of options may consist of their function's name: "Options of `run()`." */
const OPTIONS_OF = /^Options of (?:`\w+\(\)`|\{@link \w+\})(?: and (?:`\w+\(\)`|\{@link \w+\}))?\.$/;

/** The first line of a docstring. */
export function firstLine({ doc }: PublicSymbol): string {
  return doc.split("\n")[0]?.trim() ?? "";
}

/** The first sentence of a docstring, on one line. */
export function firstSentence({ doc }: PublicSymbol): string {
  const [paragraph = ""] = doc.split(/\n\s*\n/);
  const line = paragraph.replace(/\s*\n\s*/g, " ").trim();
  return /^.*?[.:](?=\s|$)/.exec(line)?.[0].replace(/:$/, ".") ?? line;
}

/** Whether the first line of a docstring contains a word that the name does not contain. */
export function addsToName(symbol: PublicSymbol): boolean {
  const line = firstLine(symbol);
  if (OPTIONS_OF.test(line)) return true;
  const name = new Set(wordsOf(symbol.name.replace(/([a-z])([A-Z])/g, "$1 $2").replaceAll("_", " ")));
  return wordsOf(line.replace(/\{@link (\w+)\}/g, "$1").replace(/([a-z])([A-Z])/g, "$1 $2")).some(
    (word) => !name.has(word) && !EMPTY.has(word),
  );
}

/** Words without their endings, so that "formats" and "formatting" are both "format". */
function wordsOf(text: string): readonly string[] {
  const words =
    text
      .toLowerCase()
      .replaceAll("'s", "")
      .match(/[a-z]+/g) ?? [];
  return words.map((word) =>
    EMPTY.has(word) ? word : word.replace(/(?:ting|ing|ted|ed|es|s|d)$/, "").replace(/e$/, ""),
  );
}
