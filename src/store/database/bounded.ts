import { untilAborted } from "../../models/mod.ts";
import type { Clock } from "../../values/mod.ts";
import { TimeoutError } from "./errors.ts";

/** How long a piece of work is waited for. */
export interface Bounds {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly clock: Clock;
}

/**
 * Waits for work until the time limit or the signal; the work itself may go on after that.
 *
 * @throws {TimeoutError} When the time limit comes first; the signal's reason when that is aborted first.
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
