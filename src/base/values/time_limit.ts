import { type Clock, SYSTEM_CLOCK } from "./clock.ts";
import { madeOnceFor } from "./once.ts";

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
