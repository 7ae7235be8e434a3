import process from "node:process";
import { createInterface, cursorTo, moveCursor } from "node:readline";
import { PassThrough } from "node:stream";
import { createKeyGate } from "./key_gate.ts";

/** The input at the prompt: a line, Ctrl-C with the text on the line, or Ctrl-D. */
export type Typed = { readonly line: string } | { readonly interrupted: string } | "end";

/** A prompt on a terminal, with history, editing and completion. */
export interface LineEditor extends Disposable {
  /** Waits for a line. Text typed between two prompts is kept for the next one. */
  readonly ask: (prompt: string) => Promise<Typed>;
  /** Writes lines above the prompt, if one is shown. */
  readonly print: (text: string) => void;
}

/** Options of a {@link LineEditor}. */
export interface LineEditorOptions {
  /** Completions of a line, and the part of the line that they replace. */
  readonly complete: (line: string) => readonly [completions: readonly string[], part: string];
  /** Called for Ctrl-C between two prompts. */
  readonly onInterrupt: () => void;
  /** When it aborts, `ask` returns `end`. */
  readonly signal: AbortSignal;
}

const PASTE_ON = "\u001b[?2004h";
const PASTE_OFF = "\u001b[?2004l";

/** Takes over the process's terminal until it is disposed. */
export function createLineEditor({ complete, onInterrupt, signal }: LineEditorOptions): LineEditor {
  const { stdin, stdout } = process;
  const input = new PassThrough();
  const gate = createKeyGate((text) => void input.write(text), onInterrupt);
  const editor = createInterface({
    input,
    output: stdout,
    terminal: true,
    historySize: 1_000,
    removeHistoryDuplicates: true,
    completer: (line: string) => {
      const [completions, part] = complete(line);
      return [[...completions], part];
    },
  });
  let answer: ((typed: Typed) => void) | undefined;
  const settle = (typed: Typed) => {
    const resolve = answer;
    answer = undefined;
    resolve?.(typed);
  };
  editor.on("line", (line) => settle({ line }));
  editor.on("SIGINT", () => {
    const interrupted = editor.line;
    editor.write(null, { ctrl: true, name: "e" });
    editor.write(null, { ctrl: true, name: "u" });
    stdout.write("\n");
    settle({ interrupted });
  });
  editor.on("close", () => settle("end"));
  const end = () => settle("end");
  signal.addEventListener("abort", end);
  const restore = () => void stdout.write(PASTE_OFF);
  process.once("exit", restore);
  stdin.setRawMode(true);
  stdin.setEncoding("utf8");
  stdin.on("data", gate.feed);
  stdin.resume();
  stdout.write(PASTE_ON);
  return {
    ask: (prompt) => {
      if (signal.aborted) return Promise.resolve("end");
      editor.setPrompt(prompt);
      editor.prompt();
      return new Promise((resolve) => {
        answer = resolve;
        gate.open();
      });
    },
    print: (text) => {
      if (answer === undefined) return void stdout.write(text);
      moveCursor(stdout, 0, -editor.getCursorPos().rows);
      cursorTo(stdout, 0);
      stdout.write(`\u001b[J${text}`);
      editor.prompt(true);
    },
    [Symbol.dispose]: () => {
      signal.removeEventListener("abort", end);
      process.off("exit", restore);
      editor.close();
      stdin.off("data", gate.feed);
      stdin.setRawMode(false);
      stdin.pause();
      restore();
    },
  };
}
