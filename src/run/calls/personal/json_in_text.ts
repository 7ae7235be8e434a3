import { parsedJson } from "../../../base/values/mod.ts";

export const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|-?\d[\d.eE+-]*|true|false|null/g;

const NEXT = new RegExp(`\\s+|${TOKEN.source}`, "y");
/** Where an object, or a list of objects or texts, can begin; not `[3]` or `{{name}}`. */
const BEGINNING = /[{[](?=\s*["{[\d-])/g;
/** A place in a text is read so many times at most, so that the time is linear for any text. */
const MOST_READ = 4;

/** Finds the objects and lists in JSON within a text, such as the arguments and the answer of a tool. */
export function jsonIn(text: string): readonly { readonly start: number; readonly end: number }[] {
  if (!text.includes('"')) return [];
  const found: { start: number; end: number }[] = [];
  let left = text.length * MOST_READ;
  BEGINNING.lastIndex = 0;
  for (let match = BEGINNING.exec(text); match && left > 0; match = BEGINNING.exec(text)) {
    const { end, isClosed } = closeOf(text, match.index);
    left -= end - match.index + 1;
    if (!isClosed || parsedJson(text.slice(match.index, end)) === undefined) continue;
    found.push({ start: match.index, end });
    BEGINNING.lastIndex = end;
  }
  return found;
}

/** The end of the object or list that begins at a place, or of what could be read of it. */
function closeOf(text: string, start: number): { readonly end: number; readonly isClosed: boolean } {
  let depth = 0;
  NEXT.lastIndex = start;
  let end = start;
  for (let match = NEXT.exec(text); match; match = NEXT.exec(text)) {
    end = NEXT.lastIndex;
    if (/^[{[]/.test(match[0])) depth++;
    else if (/^[}\]]/.test(match[0]) && --depth === 0) return { end, isClosed: true };
  }
  return { end, isClosed: false };
}
