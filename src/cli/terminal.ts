import process from "node:process";

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
}

/** What is known of an output stream. */
export interface StreamInfo {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

const EXIT_INTERRUPTED = 130;

/** A terminal that knows what is still on its way. */
export interface ProcessTerminal extends Terminal {
  /** Waits until everything has been taken that was written: a reader may be slow. */
  readonly written: () => Promise<void>;
}

/** The terminal of this process. A first Ctrl-C aborts what runs, a second one ends the process. */
export function processTerminal(): ProcessTerminal {
  const writes = new Set<Promise<void>>();
  const write = (stream: NodeJS.WriteStream, text: string) => {
    if (text === "") return; // Bun calls back for an empty text before what was written ahead of it is gone
    const done = new Promise<void>((taken) => stream.write(text, () => taken()));
    writes.add(done);
    done.then(() => writes.delete(done));
  };
  const controller = new AbortController();
  process.on("SIGINT", () => {
    if (controller.signal.aborted) process.exit(EXIT_INTERRUPTED);
    process.stderr.write("stopping; what is finished is kept (Ctrl-C again to quit at once)\n");
    controller.abort();
  });
  // `callweave … | head` closes the pipe while there is more to write
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  return {
    out: (text) => write(process.stdout, text),
    err: (text) => write(process.stderr, text),
    input: readInput,
    env: process.env,
    stdout: process.stdout,
    stderr: process.stderr,
    signal: controller.signal,
    written: async () => void (await Promise.all(writes)),
  };
}

/** How long what a user's module has left open may go on after the command: a timer, a server, an await without end. */
const GRACE_MS = 3_000;

/** Ends the process with an exit code once all has been taken: by itself, or else when the grace is over. */
export async function endProcess(
  code: number,
  { written }: ProcessTerminal,
  graceMs: number = GRACE_MS,
): Promise<void> {
  process.exitCode = code;
  await written();
  if (graceMs === 0) process.exit(code);
  setTimeout(() => process.exit(code), graceMs).unref();
}

async function readInput(): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
