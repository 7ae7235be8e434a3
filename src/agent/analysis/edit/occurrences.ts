import { tagsIn, writtenPlaceholders } from "../../../document/expressions/mod.ts";

/**
 * Where a text occurs in a prompt, from left to right. Occurrences that begin or end inside a placeholder or a tag are
 * left out, because replacing them would change which variable or snippet is meant.
 */
export function occurrencesOf(text: string, prompt: string): readonly number[] {
  const found: number[] = [];
  if (text === "" || !prompt.includes(text)) return found;
  const marks = markedRanges(prompt);
  const cuts = (at: number) => marks.some(([start, end]) => at > start && at < end);
  for (let at = prompt.indexOf(text); at >= 0; ) {
    const isWhole = !cuts(at) && !cuts(at + text.length);
    if (isWhole) found.push(at);
    at = prompt.indexOf(text, isWhole ? at + text.length : at + 1);
  }
  return found;
}

/** The prompt with each occurrence of a text replaced; those within placeholders and tags stay. */
export function replaceOccurrences(prompt: string, text: string, by: string): string {
  const places = occurrencesOf(text, prompt);
  let end = 0;
  const parts = places.map((at) => {
    const before = prompt.slice(end, at);
    end = at + text.length;
    return before + by;
  });
  return parts.join("") + prompt.slice(end);
}

/** Start and end of each placeholder and tag. */
function markedRanges(prompt: string): readonly (readonly [number, number])[] {
  const ranges: (readonly [number, number])[] = [];
  for (const marks of [writtenPlaceholders(prompt), tagsIn(prompt)]) {
    let from = 0;
    for (const mark of marks) {
      const start = prompt.indexOf(mark, from);
      from = start + mark.length;
      ranges.push([start, from]);
    }
  }
  return ranges;
}
