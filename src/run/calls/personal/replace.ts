import { createCues, FINDERS, type FieldContext, type FoundData, type Known, type Tools } from "./finders/mod.ts";

/** Maximum length of a text that is searched as a whole; longer ones are searched in pieces that end at a line or a blank. */
const LONGEST = 20_000;

/** Records what a text reveals about persons. */
export function learnFrom(text: string, context: FieldContext, tools: Tools, known: Known): void {
  for (const piece of piecesOf(text)) for (const { learn } of foundIn(piece, context, tools, known)) learn?.(known);
}

/** Replaces the personal data of a text. */
export function replaceIn(text: string, context: FieldContext, tools: Tools, known: Known): string {
  return piecesOf(text)
    .map((piece) => {
      let written = "";
      let from = 0;
      for (const { start, end, replacement } of foundIn(piece, context, tools, known)) {
        written += piece.slice(from, start) + replacement(known);
        from = end;
      }
      return written + piece.slice(from);
    })
    .join("");
}

/** The matches of all finders, in the order of the text, without overlaps. */
function foundIn(text: string, context: FieldContext, tools: Tools, known: Known): readonly FoundData[] {
  const kept: FoundData[] = [];
  // marks characters, because comparing all matches takes seconds in a long text
  const covered = new Uint8Array(text.length);
  const language = tools.dictionary.languageOf(text) ?? known.language;
  const own = { ...context, language, cues: createCues(text, context.asked) };
  for (const find of FINDERS)
    for (const found of find(text, own, tools, known))
      if (!covered.subarray(found.start, found.end).includes(1)) {
        covered.fill(1, found.start, found.end);
        kept.push(found);
      }
  return kept.sort((a, b) => a.start - b.start);
}

function piecesOf(text: string): readonly string[] {
  if (text.length <= LONGEST) return [text];
  const pieces: string[] = [];
  for (let from = 0; from < text.length; ) {
    const end = from + LONGEST;
    const cut =
      end >= text.length ? text.length : Math.max(text.lastIndexOf("\n", end), text.lastIndexOf(" ", end)) + 1;
    const to = cut > from ? cut : end;
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}
