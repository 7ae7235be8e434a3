import type { LanguageModelMiddleware } from "ai";
import pLimit, { type LimitFunction } from "p-limit";
import { createAdaptiveLimit, MOST_CALLS } from "./adaptive_limit.ts";
import { createRequestWatch } from "./request_watch.ts";

/** A limit of concurrent calls. */
export interface Concurrency {
  /** Starts a call as soon as a slot is free; calls start in the order in which they were added. */
  readonly schedule: LimitFunction;
  /** Adds request watches around the run's own request limits. */
  readonly around: (limits: readonly LanguageModelMiddleware[]) => readonly LanguageModelMiddleware[];
}

/** Options of {@link createConcurrency}. */
export interface ConcurrencyOptions {
  /** Maximum number of calls that the run's own request limits can keep busy. */
  readonly most?: number | undefined;
  /** Returns monotonic milliseconds. Default: the machine's. */
  readonly now?: () => number;
}

/**
 * Limits the calls that run at a time: to a number, or with `auto` to as many as the models' servers answer without
 * slowing down or refusing requests.
 */
export function createConcurrency(
  concurrency: number | "auto",
  { most = MOST_CALLS, now = () => performance.now() }: ConcurrencyOptions = {},
): Concurrency {
  if (concurrency !== "auto") return { schedule: pLimit(concurrency), around: (limits) => limits };
  const adaptive = createAdaptiveLimit({ most: Math.min(most, MOST_CALLS) });
  const slots = pLimit(adaptive.limit);
  const requests = pLimit(Number.POSITIVE_INFINITY);
  const update = () => {
    const { limit } = adaptive;
    // when the limit falls, running calls continue, but send no more concurrent requests than the limit
    requests.concurrency = slots.activeCount > limit ? limit : Number.POSITIVE_INFINITY;
    if (slots.concurrency !== limit) slots.concurrency = limit;
  };
  const { outer, inner } = createRequestWatch(adaptive, {
    running: () => slots.activeCount,
    now,
    gate: (send) => requests(send),
    onAnswer: update,
  });
  return { schedule: slots, around: (limits) => [outer, ...limits, inner] };
}
