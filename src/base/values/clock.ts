/** Current time, pauses and timers. Tests pass their own clock, so that they do not wait for real time. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Resolves after a number of milliseconds, or as soon as the signal is aborted. */
  readonly pause: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Calls back after a number of milliseconds. Returns a function that cancels the timer. */
  readonly after: (ms: number, callback: () => void) => () => void;
}

/** The machine's clock. */
export const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  pause: (ms, signal) =>
    new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal?.addEventListener("abort", done);
      if (signal?.aborted) done();
    }),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};
