import { diffArrays } from "diff";

/** Texts that differ in more lines than this are not compared line by line: that would take too long. */
const MOST_EDITS = 4_000;

/** A change of lines: those from `start` to before `end` of the base become `lines`. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/**
 * Merges two changes of a text, by lines. Changes of the same lines, or of lines that touch, are a conflict, unless
 * they are the same change: an edit is never overwritten, and never joined with one that was made without seeing it.
 *
 * @returns `undefined` for a conflict.
 */
export function mergeLines(base: string, mine: string, theirs: string): string | undefined {
  if (mine === base || mine === theirs) return theirs;
  if (theirs === base) return mine;
  const lines = linesOf(base);
  const own = editsOf(lines, linesOf(mine));
  const others = editsOf(lines, linesOf(theirs));
  const added = others.filter((edit) => !own.some((each) => isSame(each, edit)));
  if (added.some((edit) => own.some((each) => doTouch(each, edit)))) return undefined;
  const merged: string[] = [];
  let at = 0;
  for (const { start, end, lines: changed } of [...own, ...added].sort((a, b) => a.start - b.start)) {
    merged.push(...lines.slice(at, start), ...changed);
    at = end;
  }
  return [...merged, ...lines.slice(at)].join("");
}

/** The lines of a text with their ends, so that different line breaks are different lines. */
export function linesOf(text: string): string[] {
  return text === "" ? [] : text.split(/(?<=\n)/);
}

function editsOf(base: string[], changed: string[]): readonly Edit[] {
  const parts = diffArrays(base, changed, { maxEditLength: MOST_EDITS });
  if (parts === undefined) return [{ start: 0, end: base.length, lines: changed }];
  const edits: Edit[] = [];
  let at = 0;
  let open: { readonly start: number; end: number; readonly lines: string[] } | undefined;
  for (const { added, removed, value } of parts) {
    if (!added && !removed) {
      if (open) edits.push(open);
      open = undefined;
      at += value.length;
      continue;
    }
    open ??= { start: at, end: at, lines: [] };
    if (added) open.lines.push(...value);
    else {
      at += value.length;
      open.end = at;
    }
  }
  return open ? [...edits, open] : edits;
}

function isSame(one: Edit, other: Edit): boolean {
  return one.start === other.start && one.end === other.end && one.lines.join("") === other.lines.join("");
}

function doTouch(one: Edit, other: Edit): boolean {
  return one.start <= other.end && other.start <= one.end;
}
