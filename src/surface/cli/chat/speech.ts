import { terminalWidth } from "../../../base/values/mod.ts";

/** Writes streamed text, wrapped to the width of the terminal. */
export interface Speech {
  /** Takes a piece of text; a word is written when it is complete. */
  readonly push: (text: string) => void;
  /** Writes the rest and ends the line. */
  readonly end: () => void;
}

const UNSAFE = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Starts a text behind a label.
 *
 * @param width The terminal's width, read for each word, as it changes when a window is resized.
 * @param indent Columns of the label, and of the space before further lines.
 */
export function createSpeech(write: (text: string) => void, width: () => number, indent: number): Speech {
  let column = indent;
  let word = "";
  let isSpaced = false;
  const breakLine = () => {
    write(`\n${" ".repeat(indent)}`);
    column = indent;
  };
  const place = (text: string) => {
    const taken = terminalWidth(text);
    const space = isSpaced && column > indent ? 1 : 0;
    isSpaced = false;
    const room = Math.max(indent + 8, width() - 1) - column; // a full line would wrap on some terminals
    if (taken + space <= room) {
      write(" ".repeat(space) + text);
      column += taken + space;
      return;
    }
    if (column > indent) {
      breakLine();
      return place(text);
    }
    for (const character of text) place(character); // wider than a line
  };
  const endWord = () => {
    if (word !== "") place(word);
    word = "";
  };
  const push = (text: string) => {
    for (const character of text) {
      if (character === "\n") {
        endWord();
        if (column > indent) breakLine();
      } else if (/\s/.test(character)) {
        endWord();
        isSpaced = true;
      } else if (terminalWidth(character) === 2) {
        endWord();
        place(character); // scripts without spaces break anywhere
      } else word += character.replace(UNSAFE, "\ufffd");
    }
  };
  return {
    push,
    end: () => {
      endWord();
      write("\n");
    },
  };
}
