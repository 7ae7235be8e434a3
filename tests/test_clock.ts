import { type Clock, SYSTEM_CLOCK } from "../src/base/values/mod.ts";

/** A clock whose pauses end immediately; its time limits are real. */
export const WITHOUT_PAUSES: Clock = { ...SYSTEM_CLOCK, pause: async () => {} };

interface Timer {
  readonly at: number;
  readonly call: () => void;
}

/** A clock that stands still until a test moves it, so that pauses and time limits take no real time. */
export class TestClock implements Clock {
  #time = 1_800_000_000_000;
  readonly #timers = new Set<Timer>();
  #pausing = 0;
  readonly #waiting = new Set<() => void>();

  now = (): number => this.#time;

  after = (ms: number, callback: () => void): (() => void) => {
    const timer = { at: this.#time + ms, call: callback };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  };

  pause = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      this.#pausing++;
      for (const each of this.#waiting) each();
      this.#waiting.clear();
      const done = () => {
        this.#pausing--;
        cancel();
        signal?.removeEventListener("abort", done);
        resolve();
      };
      const cancel = this.after(ms, done);
      signal?.addEventListener("abort", done);
      if (signal?.aborted) done();
    });

  /** Advances the time and runs the due timers. */
  advance(ms: number): void {
    this.#time += ms;
    for (const timer of [...this.#timers].sort((a, b) => a.at - b.at))
      if (timer.at <= this.#time && this.#timers.delete(timer)) timer.call();
  }

  /** Whether there is a pending pause. */
  get isPausing(): boolean {
    return this.#pausing > 0;
  }

  /** Resolves when there is a pending pause. */
  async pausing(): Promise<void> {
    if (this.#pausing === 0) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  /** Advances the time in small steps until there is a pending pause, such as after a request that timed out. */
  async advanceUntilPausing(stepMs: number): Promise<void> {
    while (!this.isPausing) {
      this.advance(stepMs);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Advances the time in small steps until the work is done, whether it pauses or waits for a response. */
  async advanceUntilDone<Result>(work: Promise<Result>, stepMs: number): Promise<PromiseSettledResult<Result>> {
    let outcome: PromiseSettledResult<Result> | undefined;
    Promise.allSettled([work]).then(([settled]) => {
      outcome = settled;
    });
    while (!outcome) {
      this.advance(stepMs);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return outcome;
  }

  /** Ends every pause, each by a number of milliseconds, until the work is done. */
  async runUntil<Result>(work: Promise<Result>, stepMs: number): Promise<PromiseSettledResult<Result>> {
    let done = false;
    const settled = Promise.allSettled([work]).then(([outcome]) => {
      done = true;
      return outcome;
    });
    while (!done) {
      await Promise.race([settled, this.pausing()]);
      if (!done) this.advance(stepMs);
    }
    return await settled;
  }
}
