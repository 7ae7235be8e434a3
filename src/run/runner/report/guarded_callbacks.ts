import { ScenarioError } from "../../../base/errors.ts";
import { type Clock, dropPromise, readableError, shown, thrownWords } from "../../../base/values/mod.ts";
import { type CallbackGuard, isTime } from "../../../call/engine/mod.ts";
import type { RunListeners } from "../options/mod.ts";
import type { RunReport } from "./report.ts";

/** Maximum time that a run waits at its end for the promises of callbacks. */
const LONGEST_WAIT_MS = 30_000;

/**
 * Thrown when a callback of a run failed. The run itself completed, and its results are stored.
 *
 * The code is `callback-failed`, `path` names the option, and `cause` is the error that the callback threw.
 */
export class CallbackError extends ScenarioError {
  readonly report: RunReport;

  constructor(name: string, error: unknown, report: RunReport) {
    super(`Cannot notify ${name} of the run: it failed: ${thrownWords(error)}`, {
      code: "callback-failed",
      path: name.split("."),
      hint: `Fix ${name}; the run is complete, and the error's report has its results`,
      cause: error,
    });
    this.report = report;
  }
}

/** Wraps listeners so that they never throw; the guard collects their errors. */
export function guardedRunListeners(listeners: RunListeners, { wrap }: CallbackGuard): RunListeners {
  const { onResult, onProgress, onToken, onMessage, onTool, onRetry } = listeners;
  return {
    ...(onResult ? { onResult: wrap("onResult", onResult) } : {}),
    ...(onProgress ? { onProgress: wrap("onProgress", onProgress) } : {}),
    ...(onToken ? { onToken: wrap("onToken", onToken) } : {}),
    ...(onMessage ? { onMessage: wrap("onMessage", onMessage) } : {}),
    ...(onTool ? { onTool: wrap("onTool", onTool) } : {}),
    ...(onRetry ? { onRetry: wrap("onRetry", onRetry) } : {}),
  };
}

/**
 * Wraps a run's clock. If it fails during the run, the system clock replaces it and the failure is recorded.
 *
 * @throws {ScenarioError} `callback-return` when it fails before the run starts.
 */
export function guardedClock(now: (() => Date) | undefined, guard: CallbackGuard): () => Date {
  if (!now) return () => new Date();
  let begun = false;
  return () => {
    try {
      const time: unknown = now();
      if (!isTime(time)) throw noTime(time);
      begun = true;
      return time;
    } catch (thrown) {
      const error = readableError(thrown);
      if (!begun) throw error instanceof ScenarioError ? error : clockFailed(error);
      guard.fail("clock.now", error);
      return new Date();
    }
  };
}

/**
 * Waits for the promises that callbacks returned and throws the first failure.
 *
 * @throws {CallbackError} When a callback failed.
 */
export async function settleCallbacks(
  guard: CallbackGuard,
  report: RunReport,
  { timeoutMs, timers }: { readonly timeoutMs: number; readonly timers: Clock | undefined },
): Promise<void> {
  await guard.settle(Math.min(timeoutMs, LONGEST_WAIT_MS), timers);
  const failure = guard.takeFailure();
  if (failure) throw new CallbackError(failure.name, failure.error, report);
}

function noTime(time: unknown): ScenarioError {
  dropPromise(time);
  const state = time instanceof Date ? "a Date without a time" : shown(time);
  return new ScenarioError(`Cannot run scenarios: now() returned ${state}`, {
    code: "callback-return",
    path: ["clock", "now"],
    hint: "Return a Date, such as new Date()",
  });
}

function clockFailed(error: unknown): ScenarioError {
  return new ScenarioError(`Cannot run scenarios: now() failed: ${thrownWords(error)}`, {
    code: "callback-failed",
    path: ["clock", "now"],
    hint: "Fix now(), or leave it out",
    cause: error,
  });
}
