import { fork, type StdioOptions } from "node:child_process";
import process from "node:process";

/** Time limit for a module that computes; `loadModule()` has its own limit for one that waits. */
const LIMIT_MS = 90_000;

/** Inputs of {@link askChild} for the process that it starts. */
export interface ChildQuestion {
  /** The script without its ending: `.ts`, or `.js` in the compiled package. */
  readonly script: URL;
  /** The request to send to the process. */
  readonly request: object;
  /** Where the output of loaded modules goes. */
  readonly stdio: StdioOptions;
  /** Stops the process. */
  readonly signal: AbortSignal;
}

/**
 * Starts a process, so that all modules are loaded afresh, sends it a request, and stops it after its first message.
 *
 * @returns The message, the error, or `undefined` when the signal stopped the process.
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

/** The answer of a process, or its error. */
export type ChildAnswer = { readonly message: unknown } | { readonly problem: string };
