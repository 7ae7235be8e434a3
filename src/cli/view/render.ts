import { fork } from "node:child_process";
import process from "node:process";
import type { Finding } from "../../graph/mod.ts";

/** The agent that is viewed. */
export interface ViewedSource {
  readonly path: string;
  readonly exportName: string | undefined;
  readonly format: string | undefined;
}

/** An agent as it is shown. */
export interface Picture {
  readonly name: string;
  readonly nodes: number;
  readonly svg: string;
  readonly findings: readonly Finding[];
}

/** A picture, or why there is none: the error as the command line prints it. */
export type Rendered = { readonly picture: Picture } | { readonly error: string };

/** A module may run for this long; `loadModule()` has its own limit for those that wait. */
const LIMIT_MS = 90_000;

/**
 * Draws and checks an agent in a process of its own, so that every save loads all modules anew, and an endless one can
 * be stopped.
 *
 * @param signal Stops the process; the result is `undefined` then.
 */
export function render(source: ViewedSource, signal: AbortSignal): Promise<Rendered | undefined> {
  if (signal.aborted) return Promise.resolve(undefined);
  // the compiled package has .js files
  const script = new URL(`./render_child.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`, import.meta.url);
  const child = fork(script, [], {
    execArgv: process.execArgv.filter((argument) => !/^--(?:experimental-)?test\b/.test(argument)),
    stdio: ["ignore", 2, "inherit", "ipc"], // standard output is for the address
  });
  return new Promise((resolve) => {
    const end = (result: Rendered | undefined) => {
      clearTimeout(limit);
      signal.removeEventListener("abort", stop);
      child.kill("SIGKILL");
      resolve(result);
    };
    const stop = () => end(undefined);
    const fail = (state: string) => end({ error: `error: Cannot load "${source.path}": ${state}` });
    const limit = setTimeout(() => fail(`it did not end within ${LIMIT_MS / 1000} s`), LIMIT_MS);
    signal.addEventListener("abort", stop);
    child.once("message", (message) => end(message as Rendered)); // of render_child.ts
    child.once("error", (error) => fail(error.message));
    child.once("exit", () => fail("the process ended; remove process.exit() from the code that it runs"));
    child.send(source, () => {}); // a process that did not start or has ended is reported by its events
  });
}
