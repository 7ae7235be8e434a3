import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { findSqld } from "./sqld_binary.ts";

export { NO_SQLD } from "./sqld_binary.ts";

/** Long, because a server that does not start is the only reason to reach it. */
const READY_WITHIN_MS = 120_000;
/** After this, a server that was asked to stop is killed. */
const STOPPED_WITHIN_MS = 2_000;

/** A libSQL server that runs until it is stopped. */
export interface SqldServer {
  /** `http://127.0.0.1:<port>`; the same port speaks `ws:`. */
  readonly url: string;
  stop(): Promise<void>;
  /** Ends the process as a crash does; its data stays. */
  kill(): Promise<void>;
  /** Starts it again after `kill()`, on the same port with the same data. */
  restart(): Promise<void>;
  /** Suspends the process until `resume()`; a suspended one cannot be stopped, only killed. */
  suspend(): void;
  resume(): void;
}

/** Starts a server with an empty database on a free port of this machine. */
export async function startSqld(extraArgs: readonly string[] = []): Promise<SqldServer> {
  const binary = await findSqld();
  if (!binary) throw new Error("there is no libSQL server in node_modules: npm run pretest brings it");
  for (let tries = 1; ; tries++) {
    try {
      return await launch(binary, extraArgs);
    } catch (error) {
      if (tries === 3) throw error; // between finding a port and listening on it, another process may have taken it
    }
  }
}

async function launch(binary: string, extraArgs: readonly string[]): Promise<SqldServer> {
  const folder = await mkdtemp(join(tmpdir(), "callweave-sqld-"));
  const address = `127.0.0.1:${await freePort()}`;
  const url = `http://${address}`;
  const args = ["--db-path", join(folder, "data"), "--http-listen-addr", address, "--no-welcome", ...extraArgs];
  const start = () => startProcess(binary, args, url);
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 5 });
  let running = await start().catch(async (error) => {
    await remove();
    throw error;
  });
  return {
    url,
    stop: async () => {
      await running.end("SIGTERM");
      await remove();
    },
    kill: async () => await running.end("SIGKILL"),
    restart: async () => {
      running = await start();
    },
    // not child.kill(): Deno takes the process for dead then, and sends no other signal
    suspend: () => void process.kill(running.pid, "SIGSTOP"),
    resume: () => void process.kill(running.pid, "SIGCONT"),
  };
}

interface Running {
  readonly pid: number;
  readonly end: (signal: "SIGTERM" | "SIGKILL") => Promise<void>;
}

async function startProcess(binary: string, args: readonly string[], url: string): Promise<Running> {
  const child = spawn(binary, args, { stdio: ["ignore", "pipe", "pipe"] });
  let log = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (part) => {
      log = (log + part).slice(-4000);
    });
  const ended = new Promise<void>((resolve) => {
    child.on("close", () => resolve());
    child.on("error", (error) => {
      log += error.message;
      resolve();
    });
  });
  const { pid = Number.NaN } = child;
  const killWithUs = () => child.kill("SIGKILL");
  process.once("exit", killWithUs);
  const end = async (signal: "SIGTERM" | "SIGKILL") => {
    child.kill(signal);
    const timer = setTimeout(() => killProcess(pid), STOPPED_WITHIN_MS);
    await ended;
    clearTimeout(timer);
    process.removeListener("exit", killWithUs);
  };
  // a server that answers before this one listens is another process's, which has taken the port meanwhile
  const listens = () => log.includes("listening for");
  if (await Promise.race([isReady(url, listens), ended.then(() => false)])) return { pid, end };
  await end("SIGKILL");
  throw new Error(`sqld did not start: ${log}`);
}

/** Not `child.kill()`, which does nothing on Deno after a first signal. */
function killProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // it has just ended by itself
  }
}

async function isReady(url: string, listens: () => boolean): Promise<boolean> {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (Date.now() < deadline) {
    try {
      const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(1000) });
      await response.body?.cancel();
      if (response.ok && listens()) return true;
    } catch {
      // it does not listen yet
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("a TCP server has an address with a port");
  return address.port;
}
