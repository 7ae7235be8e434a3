import process from "node:process";
import { decodedText } from "../../../base/files/mod.ts";
import { withoutCommands, withoutCommandsIn } from "../../../base/values/mod.ts";
import type { ProjectReader } from "../../project/mod.ts";
import { unwritable } from "./files.ts";
import type { LineEditor, LineEditorOptions } from "./line_editor.ts";
import { createOutput } from "./output.ts";
import { createRegion } from "./region.ts";

/** Input and output of a command: commands read the environment and write to the terminal only through it. */
export interface Terminal extends ProjectReader {
  /** Standard output: the data that the command was asked for. */
  readonly out: (text: string) => void;
  /** Standard error: progress, warnings and errors. */
  readonly err: (text: string) => void;
  /** Writes commands for a CI runner to standard error; `out` and `err` make those harmless. Default: `err`. */
  readonly command?: (text: string) => void;
  /** Standard input as a stream, for input that may be larger than memory. Absent: use `input`. */
  readonly inputStream?: () => AsyncIterable<Uint8Array>;
  /** Asks for one line. Absent: the command is not interactive. */
  readonly ask?: (question: string) => Promise<string>;
  /** Lines of standard input as they arrive. Absent: use `input`. */
  readonly lines?: () => AsyncIterable<string>;
  /** A prompt for many lines. Absent: standard input or output is not a terminal. */
  readonly edit?: (options: LineEditorOptions) => Promise<LineEditor>;
  readonly stdout: StreamInfo;
  readonly stderr: StreamInfo;
  /**
   * Replaces lines at the bottom of the terminal; what `err` writes appears above them. Absent: standard error is no
   * terminal that can redraw lines.
   */
  readonly live?: (lines: readonly string[]) => void;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** Leaves the message on Ctrl-C to another process that writes to this terminal. */
  readonly share?: () => void;
  /**
   * Flushes the output, which takes time if the reader is slow.
   *
   * @throws {UsageError} `unwritable-file`, once, if standard output cannot be written, for example on a full disk.
   */
  readonly flush: () => Promise<void>;
}

/** Properties of an output stream. */
export interface StreamInfo {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
}

const EXIT_INTERRUPTED = 130;

/**
 * The terminal of this process. The first Ctrl-C aborts the work, a second one ends the process.
 *
 * @param onInterrupt Registers a callback for Ctrl-C. Default: the signal SIGINT.
 */
export function processTerminal(
  onInterrupt: (interrupt: () => void) => void = (interrupt) => void process.on("SIGINT", interrupt),
): Terminal {
  const stdout = createOutput(process.stdout);
  const stderr = createOutput(process.stderr);
  const region = createRegion(stderr.write, () => process.stderr.columns);
  const controller = new AbortController();
  let isShared = false;
  onInterrupt(() => {
    if (controller.signal.aborted) process.exit(EXIT_INTERRUPTED);
    if (!isShared) region.print("stopping; finished results are kept (press Ctrl-C again to quit at once)\n");
    controller.abort();
  });
  return safeTerminal({
    out: stdout.write,
    err: region.print,
    ...(canRedraw(process.stderr, process.env) ? { live: region.draw } : {}),
    warn: (warning) => region.print(`${warning}\n`),
    input: readInput,
    inputStream: () => process.stdin,
    ...(process.stdin.isTTY && process.stderr.isTTY
      ? { ask: async (question: string) => await askLine(question, controller.signal) }
      : {}),
    lines: readLines,
    ...(process.stdin.isTTY && process.stdout.isTTY && process.env.TERM !== "dumb" ? { edit: editLines } : {}),
    env: process.env,
    stdout: process.stdout,
    stderr: process.stderr,
    signal: controller.signal,
    share: () => {
      isShared = true;
    },
    flush: async () => {
      await Promise.all([stdout.settled(), stderr.settled()]);
      const cause = stdout.takeFailure();
      if (cause) throw unwritable("standard output", cause);
    },
  });
}

/**
 * The one place for what commands print: no line of it is a command for a CI runner, whatever a call said. Commands of
 * Callweave's own go through `command`.
 */
export function safeTerminal(terminal: Terminal): Terminal {
  const { out, err, warn, live, edit, command = err } = terminal;
  return {
    ...terminal,
    out: withoutCommandsIn(out),
    err: withoutCommandsIn(err),
    warn: withoutCommandsIn(warn),
    command,
    ...(live ? { live: (lines) => live(lines.map(withoutCommands)) } : {}),
    ...(edit
      ? {
          edit: async (options) => {
            const editor = await edit(options);
            return { ...editor, print: withoutCommandsIn(editor.print) };
          },
        }
      : {}),
  };
}

/** Whether lines can be redrawn: not in files, CI logs, or terminals without cursor control. */
export function canRedraw({ isTTY }: StreamInfo, { CI, TERM }: Terminal["env"]): boolean {
  return isTTY === true && TERM !== "dumb" && (!CI || CI === "false");
}

/** How long timers, servers and pending promises of a user's module may keep the process alive after the command. */
const GRACE_MS = 3_000;

/** Exits with a code after all output was flushed, at the latest after the grace period. */
export async function endProcess(code: number, { flush }: Terminal, graceMs: number = GRACE_MS): Promise<void> {
  process.exitCode = code;
  await flush().catch(() => {}); // the command has reported the error
  if (graceMs === 0) process.exit(code);
  setTimeout(() => process.exit(code), graceMs).unref();
}

async function askLine(question: string, signal: AbortSignal): Promise<string> {
  const { createInterface } = await import("node:readline/promises");
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question(question, { signal });
  } catch (error) {
    if (signal.aborted) return ""; // Ctrl-C is no answer
    throw error;
  } finally {
    lines.close();
  }
}

async function editLines(options: LineEditorOptions): Promise<LineEditor> {
  const { createLineEditor } = await import("./line_editor.ts");
  return createLineEditor(options);
}

async function* readLines(): AsyncGenerator<string> {
  const { createInterface } = await import("node:readline");
  yield* createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
}

async function readInput(): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return decodedText(Buffer.concat(chunks), "standard input");
}
