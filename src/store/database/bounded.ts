import { type Clock, untilAborted } from "../../values/mod.ts";
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
  let cancel = () => {};
  const timeout = new Promise<never>((_, reject) => {
    cancel = clock.after(timeoutMs, () => reject(new TimeoutError(`no answer came within ${timeoutMs} ms`)));
  });
  try {
    return await untilAborted(Promise.race([work, timeout]), signal);
  } finally {
    cancel();
  }
}
