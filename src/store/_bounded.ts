import type { Clock } from "./_clock.ts";
import { TimeoutError } from "./_errors.ts";

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
  const { promise: cut, reject } = withResolvers();
  const stop = () => reject(signal?.reason);
  const cancel = clock.after(timeoutMs, () => reject(new TimeoutError(`no answer came within ${timeoutMs} ms`)));
  signal?.addEventListener("abort", stop);
  if (signal?.aborted) stop();
  work.catch(() => {}); // nobody waits for a failure after the cut
  try {
    return await Promise.race([work, cut]);
  } finally {
    cancel();
    signal?.removeEventListener("abort", stop);
  }
}

/** `Promise.withResolvers`, which Node 20 lacks; only ever rejected. */
function withResolvers(): { readonly promise: Promise<never>; readonly reject: (reason: unknown) => void } {
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<never>((_, rejectPromise) => {
    reject = rejectPromise;
  });
  promise.catch(() => {});
  return { promise, reject };
}
