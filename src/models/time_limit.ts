import { type Clock, SYSTEM_CLOCK } from "../values/mod.ts";

/** A signal that is aborted after a time, or with another signal. */
export interface TimeLimit extends Disposable {
  readonly signal: AbortSignal;
  /** Whether the time limit passed, as opposed to the other signal. */
  readonly expired: () => boolean;
  /** Settles like the work, or rejects when the signal is aborted: work that ignores its signal cannot block a call. */
  readonly until: <Result>(work: PromiseLike<Result>) => Promise<Result>;
}

/**
 * Starts a time limit. Dispose of it when the work is finished.
 *
 * `AbortSignal.timeout` does not keep the process alive, so work that hangs would end the process instead of timing
 * out.
 */
export function startTimeLimit(ms: number, outer?: AbortSignal, clock: Clock = SYSTEM_CLOCK): TimeLimit {
  // not AbortSignal.any: its weak references make garbage collection slow when many requests run at once
  const controller = new AbortController();
  const { signal } = controller;
  let isLate = false;
  const waiting: ((reason: unknown) => void)[] = [];
  const abort = (reason: unknown) => {
    controller.abort(reason);
    for (const reject of waiting) reject(signal.reason);
  };
  const callOff = clock.after(ms, () => {
    isLate = true;
    abort(new DOMException("The time is up", "TimeoutError"));
  });
  const stop = () => abort(outer?.reason);
  if (outer?.aborted) stop();
  else outer?.addEventListener("abort", stop, { once: true });
  return {
    signal,
    expired: () => isLate,
    until: (work) =>
      new Promise((resolve, reject) => {
        waiting.push(reject);
        if (signal.aborted) reject(signal.reason);
        work.then(resolve, reject);
      }),
    [Symbol.dispose]: () => {
      callOff();
      outer?.removeEventListener("abort", stop);
    },
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
