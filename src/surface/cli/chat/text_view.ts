import {
  formatError,
  oneLine,
  paint,
  type Style,
  terminalWidth,
  visibleDirections,
  wrap,
} from "../../../base/values/mod.ts";
import { type ChatView, endText, messageLine, type OutputLine, variableLine } from "../../chat/mod.ts";

/** The prompt, as wide as the label of the agent's words. */
export const PROMPT = "  you › ";
/** The note beside every result of the offline model. */
export const OFFLINE_NOTE =
  "offline model: it follows fixed rules, and shows that the flow runs, not how well it talks; a real model: --model, or OPENAI_API_KEY";

const AGENT = "agent › ";
const INDENT = PROMPT.length;

/** The output of a chat. */
export interface TextViewOptions {
  readonly write: (text: string) => void;
  /** Writes errors. Default: `write`. */
  readonly writeError?: (text: string) => void;
  /** Read for each line, as the width changes when a window is resized. */
  readonly style: () => Style;
  /** Whether words are streamed and lines wrapped. Otherwise each message is one line. */
  readonly isTerminal: boolean;
  /** Puts names in place of the ids of nodes. Default: the ids stay. */
  readonly named?: (text: string) => string;
}

/** Shows a chat as text: the conversation, and in dim lines what the agent does. */
export function createTextView(options: TextViewOptions): ChatView {
  const { write, writeError = write, style, isTerminal, named = (text) => text } = options;
  let speech: Speech | undefined;
  let streamed = "";
  let later: string[] = [];

  const beside = (given: string, mark = "·", color: "dim" | "red" | "yellow" = "dim") => {
    const text = named(given);
    const now = style();
    if (!isTerminal) return write(`  ${mark} ${oneLine(text)}\n`);
    const head = `${" ".repeat(INDENT)}${mark} `;
    for (const line of wrap(narrow(now), text, head.length, head)) write(`${paint(now, color, line)}\n`);
  };
  const endSpeech = () => {
    speech?.end();
    speech = undefined;
    streamed = "";
    for (const text of later.splice(0)) beside(text);
  };
  const say = (text: string) => {
    if (!isTerminal) return write(`agent: ${oneLine(text)}\n`);
    speech ??= startSpeech();
    speech.push(text);
  };
  const startSpeech = () => {
    write(paint(style(), "cyan", AGENT));
    return createSpeech(write, () => style().width, INDENT);
  };
  const line = ({ text: given, depth, mark }: OutputLine) => {
    const text = named(given);
    const head = `${"  ".repeat(depth)}${mark === undefined ? "" : `${mark} `}`;
    if (!isTerminal) return write(`  ${head}${oneLine(text)}\n`);
    const margin = " ".repeat(INDENT) + head;
    for (const each of wrap(narrow(style()), text, margin.length, margin)) write(`${each}\n`);
  };

  return {
    started: ({ agent, model, offline, nodeId }) => {
      if (!isTerminal) return;
      line({ text: `${agent} · ${model} · /help lists the commands, Ctrl-D quits`, depth: 0 });
      if (offline) beside(OFFLINE_NOTE, "!", "yellow");
      beside(`at ${nodeId}`);
    },
    heard: (words) => {
      if (!isTerminal) write(`you: ${oneLine(words)}\n`);
    },
    onToken: ({ text }) => {
      if (!isTerminal) return;
      say(text);
      streamed += text;
    },
    onMessage: ({ message }) => {
      const { role, content, metadata } = message;
      if (role === "assistant") {
        if (streamed.trim() !== content.trim()) {
          endSpeech(); // the streamed text of an earlier attempt stays above
          say(content);
        }
        endSpeech();
        if (metadata.cut === true) beside("the reply was cut off at the model's token limit");
        return;
      }
      if (role === "user") return;
      endSpeech();
      const text = messageLine(message);
      if (text !== undefined) beside(text);
    },
    onVariables: ({ changes }) => {
      if (speech) later = [...later, ...changes.map(variableLine)];
      else for (const change of changes) beside(variableLine(change));
    },
    onRetry: ({ retry: { reason } }) => {
      endSpeech();
      beside(`the model is asked again: ${reason}`);
    },
    turned: (said, state) => {
      endSpeech();
      if (said === "aborted") return beside("aborted; the call is as it was before your words");
      const { spoken, ended } = said;
      if (spoken.length === 0 && !ended) beside(`the agent says nothing; it waits at ${state.nodeId}`);
      if (ended) beside(`${endText(state)}; /undo, /restart or /save, /quit ends the chat`, "—", "yellow");
    },
    answered: (_, lines) => {
      for (const each of lines) line(each);
    },
    failed: (error, advice) => {
      endSpeech();
      if (isTerminal) beside(formatError(error), "✗", "red");
      else writeError(formatError(error));
      if (isTerminal && advice !== undefined) beside(advice);
    },
    noted: (text) => {
      if (speech) later = [...later, text];
      else beside(text);
    },
  };
}

/** A full line would wrap on some terminals. */
function narrow(style: Style): Style {
  return { ...style, width: style.width - 1 };
}

/** Writes streamed text, wrapped to the width of the terminal. */
export interface Speech {
  /** Takes a piece of text; a word is written when it is complete. */
  readonly push: (text: string) => void;
  /** Writes the rest and ends the line. */
  readonly end: () => void;
}

const UNSAFE = /[\p{Cc}\p{Cs}]/gu;

/**
 * Starts a text behind a label.
 *
 * @param width The terminal's width, read for each word, as it changes when a window is resized.
 * @param indent Columns of the label, and of the space before further lines.
 */
function createSpeech(write: (text: string) => void, width: () => number, indent: number): Speech {
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
      } else word += visibleDirections(character.replace(UNSAFE, "\ufffd"));
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
