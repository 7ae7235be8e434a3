import process from "node:process";
import { stripVTControlCharacters } from "node:util";
import { type Path, UsageError } from "../../../base/errors.ts";
import {
  checkWritable,
  decodedText,
  fileProblem,
  type WriteFileOptions,
  writeFileTo,
} from "../../../base/files/mod.ts";
import { errorCode, terminalWidth, withoutCommands, withoutCommandsIn } from "../../../base/values/mod.ts";
import type { ProjectReader } from "../../project/mod.ts";
import type { LineEditor, LineEditorOptions } from "./line_editor.ts";

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

/** An output stream whose writes can be awaited. */
export interface Output {
  readonly write: (text: string) => void;
  /** Waits until everything was written or the stream has failed. */
  readonly settled: () => Promise<void>;
  /** Returns the error of a failed write, once. A reader that has closed its pipe is not an error. */
  readonly takeFailure: () => unknown;
}

/** Writes to a stream of the process. A stream that has failed is not written to again. */
function createOutput(stream: NodeJS.WriteStream): Output {
  const writes = new Set<Promise<void>>();
  let failure: unknown;
  let stop = () => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  let isStopped = false;
  const fail = (error: unknown) => {
    if (!isStopped && !isClosedPipe(error)) failure = error;
    isStopped = true;
    stop(); // Deno does not call back for writes to a stream that has failed
  };
  stream.on("error", fail);
  return {
    write: (text) => {
      // Bun calls back for an empty string before earlier writes are flushed
      if (text === "" || isStopped) return;
      const done = new Promise<void>((taken) => {
        try {
          stream.write(text, (error) => {
            if (error) fail(error);
            taken();
          });
        } catch (error) {
          fail(error);
          taken();
        }
      });
      writes.add(done);
      done.then(() => writes.delete(done));
    },
    settled: async () => void (await Promise.race([Promise.all(writes), stopped])),
    takeFailure: () => {
      const taken = failure;
      failure = undefined;
      return taken;
    },
  };
}

/** `callweave … | head` closes the pipe while there is more to write. */
function isClosedPipe(error: unknown): boolean {
  return errorCode(error) === "EPIPE";
}

/**
 * Writes the output of a command: a regular file atomically, keeping its permissions and following links; devices,
 * FIFOs and sockets are written to directly.
 *
 * @throws {UsageError} `unwritable-file`.
 */
export async function writeTextFile(path: string, text: string, options: WriteFileOptions = {}): Promise<void> {
  await writeOutput(path, text, options);
}

/**
 * Writes the output of a command, text or bytes, like {@link writeTextFile}.
 *
 * @throws {UsageError} `unwritable-file`.
 */
export async function writeOutput(path: string, content: string | Uint8Array, options: WriteFileOptions = {}) {
  try {
    await writeFileTo(path, content, options);
  } catch (cause) {
    throw unwritable(`"${path}"`, cause, [path]);
  }
}

/**
 * Checks that an output is writable, before the work starts.
 *
 * @throws {UsageError} `unwritable-file`.
 */
export async function checkWritableFile(path: string): Promise<void> {
  try {
    await checkWritable(path);
  } catch (cause) {
    throw unwritable(`"${path}"`, cause, [path]);
  }
}

/** The error of an unwritable output. */
export function unwritable(what: string, cause: unknown, path: Path = []): UsageError {
  const { state, hint } = fileProblem(cause, "write");
  return new UsageError(`Cannot write ${what}: ${state}`, { code: "unwritable-file", path, hint, cause });
}
