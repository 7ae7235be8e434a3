import { writeSync } from "node:fs";
import process from "node:process";

/** Exit code of a process that exited before its results were complete. */
const NOTHING_LEARNT = 3;

/** Prevents exit code 0 before the work is done. */
export interface ExitGuard {
  /** Marks the work as done: the process may exit with this code, unless it already has a higher one. */
  readonly settle: (code: number) => void;
}

/**
 * Guards a process that runs a user's modules. If one of them calls `process.exit(0)` while it is loaded, or in a tool or
 * a caller, the process exits with 3 and a message instead of 0. An exit after the work is done keeps the work's code.
 *
 * @param work For the message: "callweave run".
 */
export function guardExit(work: string): ExitGuard {
  let doneCode: number | undefined;
  let isTold = false;
  const onExit = (code: unknown) => {
    const given = typeof code === "number" ? code : Number(process.exitCode ?? 0);
    if (given !== 0 || doneCode === 0) return;
    process.exitCode = doneCode ?? NOTHING_LEARNT;
    if (doneCode !== undefined || isTold) return;
    isTold = true;
    writeToStandardError(
      `error: the process exited before ${work} was done — Remove process.exit() from the code that it runs\n`,
    );
  };
  process.on("exit", onExit);
  globalThis.addEventListener?.("unload", () => onExit(undefined)); // Deno.exit() has no "exit" event
  return {
    settle: (code) => {
      doneCode = Math.max(doneCode ?? 0, code);
      process.exitCode = doneCode;
    },
  };
}

function writeToStandardError(text: string): void {
  try {
    writeSync(2, text);
  } catch {
    // standard error is closed; the exit code remains
  }
}
