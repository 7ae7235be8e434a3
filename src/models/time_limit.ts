import { type Clock, SYSTEM_CLOCK } from "../values/mod.ts";

/** A signal that fires when a time is up, or with another signal. */
export interface TimeLimit extends Disposable {
  readonly signal: AbortSignal;
  /** Whether it was the time, and not the other signal. */
  readonly expired: () => boolean;
}

/**
 * Starts a time limit; dispose of it when the work is over.
 *
 * `AbortSignal.timeout` would not do: its timer lets a process end that has nothing else to wait for, and then work that
 * hangs would never be called off.
 */
export function startTimeLimit(ms: number, outer?: AbortSignal, clock: Clock = SYSTEM_CLOCK): TimeLimit {
  const controller = new AbortController();
  const callOff = clock.after(ms, () => controller.abort(new DOMException("The time is up", "TimeoutError")));
  return {
    signal: outer ? AbortSignal.any([outer, controller.signal]) : controller.signal,
    expired: () => controller.signal.aborted,
    [Symbol.dispose]: callOff,
  };
}

/** The work, or a rejection the moment the signal fires: what ignores its signal cannot hold a call up. */
export function untilAborted<Result>(work: PromiseLike<Result>, signal: AbortSignal | undefined): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal?.reason);
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop, { once: true });
    const done = () => signal?.removeEventListener("abort", stop);
    work.then(
      (result) => {
        done();
        resolve(result);
      },
      (error) => {
        done();
        reject(error);
      },
    );
  });
}
