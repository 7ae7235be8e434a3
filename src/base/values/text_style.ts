import { CallweaveError } from "../errors.ts";
import { shown } from "./options.ts";
import { withoutCommands } from "./runner_commands.ts";
import { visibleDirections } from "./text.ts";

/** Colours and width of formatted text. */
export interface Style {
  /** Whether to use ANSI colours. */
  readonly color: boolean;
  /** Width in columns. */
  readonly width: number;
}

/** Style of text for files and pipes. */
export const PLAIN: Style = { color: false, width: 100 };

const NARROWEST = 40;
const WIDEST = 160;

/**
 * Returns the style for an output stream: colours only on a terminal that supports them and unless `NO_COLOR` is set.
 *
 * @throws {CallweaveError} `invalid-option`.
 * @see https://no-color.org
 */
export function styleFor(
  stream: { readonly isTTY?: boolean | undefined; readonly columns?: number | undefined },
  env: { readonly [name: string]: string | undefined },
): Style {
  for (const [name, value] of Object.entries({ stream, env }))
    if (typeof value !== "object" || value === null)
      throw new CallweaveError(`Cannot choose a style: "${name}" is ${shown(value)}`, {
        code: "invalid-option",
        path: [name],
        hint: "Pass an output stream and the environment, or { isTTY, columns } and {}",
      });
  const width = Math.min(WIDEST, Math.max(NARROWEST, (stream.isTTY && Number(stream.columns)) || PLAIN.width));
  return { color: stream.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb", width };
}

const CODES = { red: 31, green: 32, yellow: 33, cyan: 36, dim: 2, bold: 1 } as const;

/** Colours a text if the style has colours. */
export function paint(style: Style, color: keyof typeof CODES, text: string): string {
  return style.color && text ? `\u001b[${CODES[color]}m${text}\u001b[0m` : text;
}

/** Puts untrusted text on one line, removes control characters and shows those of the direction of text. */
export function oneLine(text: string): string {
  return visibleDirections(text.replace(/\s+/g, " ").replace(/[\p{Cc}\p{Cs}]/gu, "\ufffd")).trim();
}

/** Returns the columns that a text takes on a terminal: 2 for CJK characters and emoji, 0 for combining marks. */
export function terminalWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (/\p{Mn}|\p{Me}|\p{Cf}/u.test(character)) continue;
    width += WIDE.test(character) ? 2 : 1;
  }
  return width;
}

const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

/** Cuts a text to a width and marks the cut. */
export function cut(text: string, width: number): string {
  if (terminalWidth(text) <= width) return text;
  let kept = "";
  for (const character of text) {
    if (terminalWidth(kept + character) > width - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Cuts or pads a text to a width. */
export function pad(text: string, width: number): string {
  const short = cut(text, width);
  return short + " ".repeat(Math.max(0, width - terminalWidth(short)));
}

/**
 * Wraps untrusted text into indented lines of the style's width, none of which a CI runner reads as a command.
 *
 * @param head Replaces the indentation of the first line; must have the same width.
 */
export function wrap(style: Style, text: string, indent: number, head = ""): readonly string[] {
  const room = Math.max(20, style.width - indent);
  const lines: string[] = [];
  let line = "";
  let used = 0;
  for (const word of oneLine(text)
    .split(" ")
    .flatMap((each) => pieces(each, room))) {
    const width = terminalWidth(word);
    if (line && used + 1 + width > room) {
      lines.push(line);
      [line, used] = [word, width];
    } else {
      used += width + (line ? 1 : 0);
      line = line ? `${line} ${word}` : word;
    }
  }
  lines.push(line);
  const margin = " ".repeat(indent);
  return lines.map((each, index) => withoutCommands((index === 0 && head ? head : margin) + each));
}

/** Splits a word that is longer than a line. */
function pieces(word: string, room: number): readonly string[] {
  if (terminalWidth(word) <= room) return [word];
  const parts: string[] = [];
  let part = "";
  let used = 0;
  for (const character of word) {
    const width = terminalWidth(character);
    if (used + width > room) {
      parts.push(part);
      [part, used] = ["", 0];
    }
    part += character;
    used += width;
  }
  return [...parts, part];
}
