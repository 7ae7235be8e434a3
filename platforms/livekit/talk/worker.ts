import { type ChildProcess, spawn } from "node:child_process";
import { createServer, type Server, type Socket } from "node:net";
import host, { kill, platform, env as processEnvironment } from "node:process";
import { createRedactor } from "../../../src/base/redaction/mod.ts";
import { defined, SYSTEM_CLOCK, shorten, startTimeLimit } from "../../../src/base/values/mod.ts";
import { connectionFailure } from "../../../src/call/connection/mod.ts";
import { type SessionCarrier, socketCarrier } from "./carrier.ts";

/** A worker that is connected. */
export interface Worker {
  readonly carrier: SessionCarrier;
  /** The platform's id of the call; absent if it has none. */
  readonly callId?: string;
  /**
   * How its process failed; `undefined` if it runs, ended without an error, or was started by somebody else. A process
   * that crashes ends a moment after its socket.
   */
  failure(wait: "wait" | "at once"): Promise<string | undefined>;
  /** Whether `failure()` knows how it ended. Otherwise a crash looks like an end. */
  readonly tellsFailure: boolean;
  /** Closes the socket, and ends the process and those that it started. */
  stop(): Promise<void>;
}

/** How a worker is started, or where it connects to. */
export interface WorkerOptions {
  readonly name: string;
  readonly command?: readonly string[] | undefined;
  readonly folder?: string | undefined;
  readonly env?: { readonly [name: string]: string | undefined } | undefined;
  /** `127.0.0.1:4000`. Absent: a free port, for the command. */
  readonly listen?: string | undefined;
  /** In milliseconds. */
  readonly startTimeoutMs: number;
  readonly signal: AbortSignal;
  readonly running: ProcessGroups;
}

/** Groups of processes that end with this process at the latest. */
export interface ProcessGroups {
  add(id: number): void;
  delete(id: number): void;
}

/** How long a process has for its own end, in milliseconds; then it is killed. */
const END_MS = 1_000;
/** How long after its socket a process that crashed has ended, in milliseconds. */
const CRASH_MS = 2_000;
/** How long the last output of a process is waited for, in milliseconds. Others that it started may keep it open. */
const OUTPUT_MS = 200;
/** What is kept of the end of a process's output, in characters. */
const MOST_OUTPUT = 4_000;

/**
 * Waits for a worker to connect, after starting it if there is a command.
 *
 * @throws {ConnectionError} `unreachable` if it cannot be started, ends, or does not connect in time.
 */
export async function connectWorker(options: WorkerOptions): Promise<Worker> {
  const { name, command, listen = "127.0.0.1:0", startTimeoutMs, signal } = options;
  const fail = (state: string, hint: string, cause?: unknown) =>
    connectionFailure(name, "unreachable", state, { hint, ...defined({ cause }) });
  const [, host = "", port = ""] = /^(.*):(\d+)$/.exec(listen) ?? [];
  const server = createServer();
  using limit = startTimeLimit(startTimeoutMs, signal);
  let program: Program | undefined;
  let isConnected = false;
  let isTaken = false;
  const connection = new Promise<Socket>((resolve) => {
    // one worker for one call: another one has to come again
    server.on("connection", (socket) => {
      if (isTaken) socket.destroy();
      else resolve(socket);
      isTaken = true;
    });
  });
  try {
    const address = await limit.until(listening(server, host, Number(port))).catch((cause) => {
      limit.signal.throwIfAborted();
      throw fail(`it cannot listen on ${listen}: ${wordsOf(cause)}`, "Choose another port", cause);
    });
    if (command) program = startProgram(command, address, options);
    const first = await limit.until(Promise.race([connection, ...(program ? [program.ended] : [])]));
    if (typeof first === "string")
      throw fail(`its worker ${first}`, "Start the command by hand, and read what it prints");
    isConnected = true;
    return workerOf(first, program);
  } catch (error) {
    if (!limit.expired()) throw error;
    throw command
      ? fail(
          `its worker did not connect within ${startTimeoutMs} ms${program?.words() ?? ""}`,
          "Raise startTimeoutMs, and check that the agent calls session.start()",
        )
      : fail(
          `no worker connected to ${listen} within ${startTimeoutMs} ms`,
          `Start one for each call: node agent.js console --connect-addr ${listen}`,
        );
  } finally {
    server.close();
    if (!isConnected) {
      connection.then((socket) => socket.destroy()).catch(() => {});
      await program?.stop();
    }
  }
}

async function listening(server: Server, host: string, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host: host.replace(/^\[(.*)\]$/, "$1"), port }, resolve);
  });
  const address = server.address();
  return typeof address === "object" && address ? `${host}:${address.port}` : `${host}:${port}`;
}

function workerOf(socket: Socket, program: Program | undefined): Worker {
  socket.setNoDelay(true);
  return {
    carrier: socketCarrier(socket),
    tellsFailure: program !== undefined,
    failure: async (wait) => {
      if (!program) return undefined;
      const waiting = new AbortController();
      const limit = SYSTEM_CLOCK.pause(wait === "wait" ? CRASH_MS : 0, waiting.signal);
      const how = await Promise.race([program.failed, program.ended.then(() => undefined), limit]);
      waiting.abort();
      return how ?? undefined;
    },
    stop: async () => {
      socket.destroy();
      await program?.stop();
    },
  };
}

/** A process that was started. */
interface Program {
  /** Resolves when it has ended, with words for how. */
  readonly ended: Promise<string>;
  /** The same if it failed; it stays open if the process ended without an error. */
  readonly failed: Promise<string>;
  /** The end of what it wrote, for messages. */
  readonly words: () => string;
  readonly stop: () => Promise<void>;
}

function startProgram(
  command: readonly string[],
  address: string,
  { folder, env = {}, running }: Pick<WorkerOptions, "folder" | "env" | "running">,
): Program {
  const [file = "", ...args] = command;
  const environment = { ...processEnvironment, ...env };
  const isGrouped = platform !== "win32";
  const subcommand = args.includes("console") ? [] : ["console"];
  const child = spawn(file, [...args, ...subcommand, "--connect-addr", address], {
    stdio: ["ignore", "pipe", "pipe"],
    env: environment,
    // a group of its own: the command may be a script that starts the worker
    detached: isGrouped,
    ...defined({ cwd: folder }),
  });
  let output = "";
  const take = (part: string) => {
    output = (output + part).slice(-MOST_OUTPUT);
  };
  child.stdout.setEncoding("utf8").on("data", take);
  child.stderr.setEncoding("utf8").on("data", take);
  const words = () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal
    const plain = output.replace(/\u001b\[[\d;]*m/g, "");
    const last = createRedactor({ env: environment }).text(plain).trim().split("\n").slice(-5).join(" ");
    return last === "" ? "" : `: ${shorten(last.replace(/[\s\p{Cc}]+/gu, " "), 300)}`;
  };
  const { pid } = child;
  if (isGrouped && pid !== undefined) running.add(pid);
  const exit = new Promise<{ readonly how: string; readonly isFailure: boolean }>((resolve) => {
    child.once("error", (error) => resolve({ how: `cannot be started: ${error.message}`, isFailure: true }));
    const closed = new Promise<void>((settle) => child.once("close", () => settle()));
    child.once("exit", async (code, signal) => {
      await Promise.race([closed, SYSTEM_CLOCK.pause(OUTPUT_MS)]);
      const how = `ended with ${signal ? `signal ${signal}` : `exit code ${code}`}${words()}`;
      resolve({ how, isFailure: code !== 0 });
    });
  });
  return {
    ended: exit.then(({ how }) => how),
    failed: new Promise((resolve) => void exit.then(({ how, isFailure }) => isFailure && resolve(how))),
    words,
    stop: async () => {
      await end(child, exit, isGrouped);
      if (pid !== undefined) running.delete(pid);
    },
  };
}

/** Creates a list of groups that are killed when this process exits while a call is open. */
export function processGroups(): ProcessGroups {
  const ids = new Set<number>();
  const killAll = () => {
    for (const id of ids) signalGroup(id, "SIGKILL");
  };
  return {
    add: (id) => {
      if (ids.size === 0) host.once("exit", killAll);
      ids.add(id);
    },
    delete: (id) => {
      ids.delete(id);
      if (ids.size === 0) host.off("exit", killAll);
    },
  };
}

function signalGroup(id: number, signal: "SIGTERM" | "SIGKILL"): void {
  try {
    kill(-id, signal);
  } catch {
    // it has ended
  }
}

async function end(child: ChildProcess, exit: Promise<unknown>, isGrouped: boolean): Promise<void> {
  const send = (signal: "SIGTERM" | "SIGKILL") => {
    if (isGrouped && child.pid !== undefined) signalGroup(child.pid, signal);
    else child.kill(signal);
  };
  send("SIGTERM");
  const isLate = await Promise.race([exit.then(() => false), SYSTEM_CLOCK.pause(END_MS).then(() => true)]);
  send("SIGKILL");
  if (isLate) await Promise.race([exit, SYSTEM_CLOCK.pause(END_MS)]);
}

function wordsOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : "no reason is given";
}
