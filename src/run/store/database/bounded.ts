import { type Clock, startTimeLimit } from "../../../base/values/mod.ts";
import { TimeoutError } from "./errors.ts";

/** Time limit and abort signal of a wait. */
export interface Bounds {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly clock: Clock;
}

/**
 * Waits for a promise until the time limit passes or the signal is aborted. The work itself is not stopped.
 *
 * @throws {TimeoutError} When the time limit passes. Throws the signal's reason when it is aborted.
 */
export async function bounded<Result>(work: Promise<Result>, { timeoutMs, signal, clock }: Bounds): Promise<Result> {
  using limit = startTimeLimit(timeoutMs, signal, clock);
  try {
    return await limit.until(work);
  } catch (error) {
    throw limit.expired() ? new TimeoutError(`no answer came within ${timeoutMs} ms`) : error;
  }
}
