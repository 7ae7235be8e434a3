import { stripVTControlCharacters } from "node:util";
import { terminalWidth } from "../../../base/values/mod.ts";

/** Lines at the bottom of a terminal that are redrawn in place. */
export interface Region {
  /** Replaces the lines; none removes the region. Lines must not be wider than the terminal. */
  readonly draw: (lines: readonly string[]) => void;
  /** Writes text above the region, where it stays. */
  readonly print: (text: string) => void;
}

/** Escape codes of synchronized output: the terminal shows everything between them at once. */
const BEGIN = "\u001b[?2026h";
const END = "\u001b[?2026l";
/** Clears the rest of the line, and the rest of the screen. */
const CLEAR_LINE = "\u001b[K";
const CLEAR_BELOW = "\u001b[J";
/** Clears from the cursor on, except the first row: tmux would keep the screen in its history. */
const CLEAR_REGION = `${CLEAR_LINE}\n${CLEAR_BELOW}\u001b[1A`;

/**
 * Creates an empty region. The cursor stays below it. Lines are overwritten instead of cleared first, so that
 * they do not flicker on terminals without synchronized output.
 *
 * @param columns Returns the width of the terminal; after it shrinks, drawn lines take several rows.
 */
export function createRegion(write: (text: string) => void, columns: () => number | undefined): Region {
  let drawn: readonly string[] = [];
  const up = () => {
    const width = columns() || Number.POSITIVE_INFINITY;
    const rows = drawn.reduce(
      (sum, line) => sum + Math.max(1, Math.ceil(terminalWidth(stripVTControlCharacters(line)) / width)),
      0,
    );
    return rows > 0 ? `\u001b[${rows}A\r` : "";
  };
  const linesOf = (lines: readonly string[]) => lines.map((line) => `${line}${CLEAR_LINE}\n`).join("");
  return {
    draw: (lines) => {
      if (lines.length === 0 && drawn.length === 0) return;
      write(`${BEGIN}${up()}${linesOf(lines)}${lines.length > 0 ? CLEAR_BELOW : CLEAR_REGION}${END}`);
      drawn = lines;
    },
    print: (text) => {
      if (drawn.length === 0 || text === "") return write(text);
      const above = text.replace(/\n$/, "").split("\n");
      write(`${BEGIN}${up()}${linesOf([...above, ...drawn])}${CLEAR_BELOW}${END}`);
    },
  };
}
