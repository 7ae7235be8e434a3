import { type Clock, SYSTEM_CLOCK } from "../values/mod.ts";

/** A signal that is aborted after a time, or with another signal. */
export interface TimeLimit extends Disposable {
  readonly signal: AbortSignal;
  /** Whether the time limit passed, as opposed to the other signal. */
  readonly expired: () => boolean;
}

/**
 * Starts a time limit. Dispose of it when the work is finished.
 *
 * `AbortSignal.timeout` does not keep the process alive, so work that hangs would end the process instead of timing
 * out.
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

/** Settles like the work, or rejects when the signal is aborted: work that ignores its signal cannot block a call. */
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
