import type { LanguageModelMiddleware } from "ai";
import pLimit from "p-limit";
import pThrottle from "p-throttle";

/** How hard a model may be used, by all scenarios of a run together. */
export interface ModelLimits {
  /** Requests under way at once. Absent: as many as there are. */
  readonly concurrency?: number;
  /** Requests begun within any minute. */
  readonly requestsPerMinute?: number;
}

/**
 * Holds all requests through it to the limits. One limiter is one budget: share it between whatever counts together.
 *
 * A request that waits leaves the queue when its signal fires.
 *
 * @param signal Of the whole run: all that wait leave at once.
 */
export function limiterMiddleware(
  { concurrency, requestsPerMinute }: ModelLimits,
  signal?: AbortSignal,
): LanguageModelMiddleware {
  const slots = pLimit(concurrency ?? Number.POSITIVE_INFINITY);
  const begin = requestsPerMinute
    ? pThrottle({ limit: requestsPerMinute, interval: 60_000, strict: true, ...(signal ? { signal } : {}) })(
        async () => {},
      )
    : async () => {};
  return {
    specificationVersion: "v4",
    wrapGenerate: async ({ doGenerate, params }) =>
      await slots(async () => {
        params.abortSignal?.throwIfAborted();
        await begin();
        params.abortSignal?.throwIfAborted();
        return await doGenerate();
      }),
  };
}
