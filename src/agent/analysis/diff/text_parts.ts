import { diffWordsWithSpace } from "diff";

/** A part of a text that stayed, was added or was removed. */
export interface TextPart {
  readonly change: "same" | "added" | "removed";
  readonly text: string;
}

/** Texts with more differing words than this are shown as replaced: comparing them is slow and the result unreadable. */
const MOST_EDITS = 600;

/** Compares two texts word by word. The parts put together are the texts: with `removed` the earlier, with `added` the later. */
export function textParts(before: string, after: string): readonly TextPart[] {
  const parts = diffWordsWithSpace(before, after, { maxEditLength: MOST_EDITS });
  if (parts === undefined) return replaced(before, after);
  return parts.map(({ value, added, removed }) => ({
    change: added ? "added" : removed ? "removed" : "same",
    text: value,
  }));
}

function replaced(before: string, after: string): readonly TextPart[] {
  const parts: readonly TextPart[] = [
    { change: "removed", text: before },
    { change: "added", text: after },
  ];
  return parts.filter(({ text }) => text !== "");
}
