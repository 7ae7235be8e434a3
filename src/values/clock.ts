/** Time, pauses and alarms. Tests pass a clock of their own, so that no test waits for real time. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Resolves after so many milliseconds, or as soon as the signal is aborted. */
  readonly pause: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Calls back after so many milliseconds, unless it is cancelled by what it returns. */
  readonly after: (ms: number, callback: () => void) => () => void;
}

/** The clock of the machine. */
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
