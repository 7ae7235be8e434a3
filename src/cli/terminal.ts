import process from "node:process";
import { unwritable } from "./files.ts";
import { createOutput } from "./output.ts";

/** What a command talks to: the only way in which one reads the environment or writes to the terminal. */
export interface Terminal {
  /** Standard output: data, or what a person asked to see. */
  readonly out: (text: string) => void;
  /** Standard error: progress, warnings and errors. */
  readonly err: (text: string) => void;
  readonly input: () => Promise<string>;
  readonly env: { readonly [name: string]: string | undefined };
  readonly stdout: StreamInfo;
  readonly stderr: StreamInfo;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /**
   * Waits until everything was taken that was written: a reader may be slow.
   *
   * @throws {UsageError} `unwritable-file`, once, when standard output cannot be written, because a disk is full.
   */
  readonly flush: () => Promise<void>;
}

/** What is known of an output stream. */
export interface StreamInfo {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

const EXIT_INTERRUPTED = 130;

/** The terminal of this process. A first Ctrl-C aborts what runs, a second one ends the process. */
export function processTerminal(): Terminal {
  const stdout = createOutput(process.stdout);
  const stderr = createOutput(process.stderr);
  const controller = new AbortController();
  process.on("SIGINT", () => {
    if (controller.signal.aborted) process.exit(EXIT_INTERRUPTED);
    process.stderr.write("stopping; what is finished is kept (Ctrl-C again to quit at once)\n");
    controller.abort();
  });
  return {
    out: stdout.write,
    err: stderr.write,
    input: readInput,
    env: process.env,
    stdout: process.stdout,
    stderr: process.stderr,
    signal: controller.signal,
    flush: async () => {
      await Promise.all([stdout.settled(), stderr.settled()]);
      const cause = stdout.takeFailure();
      if (cause) throw unwritable("standard output", cause);
    },
  };
}

/** How long what a user's module has left open may go on after the command: a timer, a server, an await without end. */
const GRACE_MS = 3_000;

/** Ends the process with an exit code once all has been taken: by itself, or else when the grace is over. */
export async function endProcess(code: number, { flush }: Terminal, graceMs: number = GRACE_MS): Promise<void> {
  process.exitCode = code;
  await flush().catch(() => {}); // the command has reported it
  if (graceMs === 0) process.exit(code);
  setTimeout(() => process.exit(code), graceMs).unref();
}

async function readInput(): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
