import process from "node:process";
import { Worker } from "node:worker_threads";

/** What a process does when the one that started it is gone. */
export interface EndOptions {
  /** Ends it, if its code can still react. Default: `process.exit()`. */
  readonly end?: () => void;
  /** Time for that; then it is killed. Default: 1 s. */
  readonly graceMs?: number;
}

/** Time until the thread must watch. Without it, a process that reacts still ends. */
const START_MS = 10_000;

/** A text and not a file: a thread that loads TypeScript needs the loader of its process first. */
const WATCHER = `
  import process from "node:process";
  import { parentPort, workerData } from "node:worker_threads";
  const { parent, pid, graceMs } = workerData;
  let goneAt;
  function isThere() {
    if (process.ppid !== parent) return false;
    try {
      process.kill(parent, 0);
      return true;
    } catch (error) {
      return error.code !== "ESRCH";
    }
  }
  setInterval(() => {
    if (isThere()) return;
    goneAt ??= Date.now();
    if (Date.now() - goneAt >= graceMs) process.kill(pid, "SIGKILL");
  }, 250);
  parentPort.postMessage("watching");
`;

/**
 * Ends this process soon after the one that started it with an IPC channel, whatever happened to that one. A thread
 * watches, so that code of the project that never ends does not outlive it either.
 *
 * @returns Resolves when the thread watches: run the project's code afterwards.
 */
export async function endWithParent({ end = () => process.exit(), graceMs = 1_000 }: EndOptions = {}): Promise<void> {
  process.once("disconnect", end);
  const workerData = { parent: process.ppid, pid: process.pid, graceMs };
  const code = new URL(`data:text/javascript,${encodeURIComponent(WATCHER)}`);
  const watcher = new Worker(code, { workerData, execArgv: [] });
  watcher.unref();
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, START_MS);
    const begun = () => {
      clearTimeout(timer);
      resolve();
    };
    watcher.once("message", begun);
    watcher.once("error", begun); // a runtime without such threads: the channel still tells
  });
}
