import { fork, type StdioOptions } from "node:child_process";
import process from "node:process";

/** A module may run for this long; `loadModule()` has its own limit for those that wait. */
const LIMIT_MS = 90_000;

/** What {@link askChild} needs to start a process. */
export interface ChildQuestion {
  /** The script without its ending: `.ts`, or `.js` in the compiled package. */
  readonly script: URL;
  /** Sent to the process. */
  readonly request: object;
  /** What happens to the output of the modules that the process loads. */
  readonly stdio: StdioOptions;
  /** Stops the process. */
  readonly signal: AbortSignal;
}

/**
 * Starts a process, so that all modules are loaded anew, sends it a request, and stops it after its first message.
 *
 * @returns The message, why there is none, or `undefined` when the signal has stopped it.
 */
export function askChild({ script, request, stdio, signal }: ChildQuestion): Promise<ChildAnswer | undefined> {
  if (signal.aborted) return Promise.resolve(undefined);
  const ending = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const child = fork(new URL(`${script.href}.${ending}`), [], {
    execArgv: process.execArgv.filter((argument) => !/^--(?:experimental-)?test\b/.test(argument)),
    stdio,
  });
  return new Promise((resolve) => {
    const end = (result: ChildAnswer | undefined) => {
      clearTimeout(limit);
      signal.removeEventListener("abort", stop);
      child.kill("SIGKILL");
      resolve(result);
    };
    const stop = () => end(undefined);
    const fail = (problem: string) => end({ problem });
    const limit = setTimeout(() => fail(`it did not end within ${LIMIT_MS / 1000} s`), LIMIT_MS);
    signal.addEventListener("abort", stop);
    child.once("message", (message) => end({ message }));
    child.once("error", (error) => fail(error.message));
    child.once("exit", () => fail("the process ended; remove process.exit() from the code that it runs"));
    child.send(request, () => {}); // a process that did not start or has ended is reported by its events
  });
}

/** What a process has answered, or why it has not. */
export type ChildAnswer = { readonly message: unknown } | { readonly problem: string };
