/**
 * Ignores a promise where none is expected. Its rejection would otherwise terminate the process.
 */
export function dropPromise(value: unknown): void {
  if (value instanceof Promise) value.catch(() => {});
}

/** How failed attempts are followed by others. */
export interface Retries {
  /** Whether another attempt can help. `failed` counts the failures, from 1. */
  readonly mayPass: (error: unknown, failed: number) => boolean | Promise<boolean>;
  /** Retries at most. Default: no limit, `mayPass` ends them. */
  readonly most?: number;
  /** Milliseconds before the next attempt; see {@link backoffMs} and {@link retryAfterMs}. `undefined`: no pause. */
  readonly pauseMs: (error: unknown, failed: number) => number | undefined;
  /** Called before the pause. */
  readonly onRetry?: ((error: unknown, failed: number) => void) | undefined;
  /** Ends the pauses. Attempts get no signal: they know it. */
  readonly signal?: AbortSignal | undefined;
  /** Default: the machine's clock. */
  readonly clock?: Pick<Clock, "pause"> | undefined;
}

/**
 * Repeats an attempt until it succeeds, or until its failure will not pass.
 *
 * @throws The last attempt's error, or the signal's reason when it is aborted between two attempts.
 */
export async function withRetries<Result>(
  attempt: () => Promise<Result>,
  { mayPass, most = Number.POSITIVE_INFINITY, pauseMs, onRetry, signal, clock = SYSTEM_CLOCK }: Retries,
): Promise<Result> {
  for (let failed = 1; ; failed++) {
    let error: unknown;
    try {
      return await attempt();
    } catch (thrown) {
      error = thrown;
    }
    if (failed > most || !(await mayPass(error, failed))) throw error;
    onRetry?.(error, failed);
    const pause = pauseMs(error, failed);
    if (pause !== undefined) await clock.pause(pause, signal);
    signal?.throwIfAborted();
  }
}

/** Pauses that double. */
export interface Backoff {
  /** The first pause in milliseconds. */
  readonly firstMs: number;
  /** The longest one. Default: no limit. */
  readonly longestMs?: number;
  /** Each pause is multiplied by a random number from the first to the second, so that clients do not collide again. */
  readonly jitter?: readonly [from: number, to: number];
}

/** The pause after a number of failures in a row, from 1. */
export function backoffMs(
  { firstMs, longestMs = Number.POSITIVE_INFINITY, jitter: [from, to] = [1, 1] }: Backoff,
  failed: number,
): number {
  const doubled = Math.min(longestMs, firstMs * 2 ** Math.min(failed - 1, 50));
  return Math.min(longestMs, doubled * (from + Math.random() * (to - from)));
}

/** The time that a `Retry-After` header asks for, in milliseconds. It holds seconds or a date, which may have passed. */
export function retryAfterMs(header: string | null | undefined, nowMs: number): number | undefined {
  if (!header?.trim()) return undefined;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - nowMs;
  return ms >= 0 ? ms : undefined;
}

/** The part of a clock that a time limit uses. */
type Timers = Pick<Clock, "after">;

/** A signal that is aborted after a time, or with another signal. */
export interface TimeLimit extends Disposable {
  readonly signal: AbortSignal;
  /** Whether the time limit passed, as opposed to the other signal. */
  readonly expired: () => boolean;
  /** Settles like the work, or rejects when the signal is aborted; see {@link untilAborted}. Call it once. */
  readonly until: <Result>(work: PromiseLike<Result>) => Promise<Result>;
}

/**
 * Starts a time limit. Dispose of it when the work is finished.
 *
 * `AbortSignal.timeout` does not keep the process alive, so work that hangs would end the process instead of timing
 * out.
 */
export function startTimeLimit(ms: number, outer?: AbortSignal, clock: Timers = SYSTEM_CLOCK): TimeLimit {
  const link = linkTo(outer);
  return limitOf(link, link.release, ms, clock);
}

/**
 * Starts the time limit of a request to a model. The requests of a call reuse controllers, because creating one with a
 * listener takes longer than the rest of a time limit. Do not use the signal after the request has been answered: a
 * later request may abort it.
 */
export function startRequestLimit(ms: number, outer: AbortSignal | undefined, clock: Timers): TimeLimit {
  if (!outer) return startTimeLimit(ms, outer, clock);
  const free = freeLinks(outer);
  const link = free.pop() ?? linkTo(outer);
  const giveBack = () => {
    if (link.controller.signal.aborted) link.release();
    else free.push(link);
  };
  return limitOf(link, giveBack, ms, clock);
}

/** A controller that is aborted with another signal. */
interface Link {
  readonly controller: AbortController;
  /** Rejects work in progress. */
  giveUp: ((reason: unknown) => void) | undefined;
  readonly release: () => void;
}

/** Unused links, by the signal that they follow. */
const freeLinks = madeOnceFor((_outer: AbortSignal): Link[] => []);

/** Not `AbortSignal.any`: its weak references make garbage collection slow when many requests run at once. */
function linkTo(outer: AbortSignal | undefined): Link {
  const controller = new AbortController();
  const stop = () => abort(link, outer?.reason);
  const link: Link = {
    controller,
    giveUp: undefined,
    release: () => outer?.removeEventListener("abort", stop),
  };
  if (outer?.aborted) stop();
  else outer?.addEventListener("abort", stop, { once: true });
  return link;
}

function abort({ controller, giveUp }: Link, reason: unknown): void {
  controller.abort(reason);
  giveUp?.(controller.signal.reason);
}

function limitOf(link: Link, dispose: () => void, ms: number, clock: Timers): TimeLimit {
  const { signal } = link.controller;
  let isLate = false;
  const callOff = clock.after(ms, () => {
    isLate = true;
    abort(link, new DOMException("The time is up", "TimeoutError"));
  });
  return {
    signal,
    expired: () => isLate,
    until: (work) =>
      new Promise((resolve, reject) => {
        link.giveUp = reject;
        if (signal.aborted) reject(signal.reason);
        Promise.resolve(work).then(resolve, reject); // a model of the user may return no promise
      }),
    [Symbol.dispose]: () => {
      callOff();
      link.giveUp = undefined;
      dispose();
    },
  };
}

/** Returns a signal that is aborted with either of two signals, of which the first may be absent. */
export function eitherSignal(outer: AbortSignal | undefined, own: AbortSignal): AbortSignal {
  return outer ? AbortSignal.any([outer, own]) : own;
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

/**
 * Computes a value lazily and caches it: tables are parsed only by commands that read them. If `make`
 * returns a promise, all callers get the same one.
 */
export function madeOnce<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Like {@link madeOnce}, but cached per object, as long as the object exists. */
export function madeOnceFor<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const kept = made.get(key);
    if (kept) return kept.value;
    const value = make(key);
    made.set(key, { value });
    return value;
  };
}

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
