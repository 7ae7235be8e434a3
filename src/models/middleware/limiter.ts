import type { LanguageModelMiddleware } from "ai";
import pLimit from "p-limit";
import pThrottle from "p-throttle";

/** Limits of the requests to each model, shared by all calls of a run. */
export interface RequestLimits {
  /** Most requests to a model at a time. Default: no limit. */
  readonly maxParallel?: number;
  /** Most requests to a model that begin within any minute. Default: no limit. */
  readonly perMinute?: number;
}

/**
 * Holds all requests through it to the limits. One limiter is one budget: share it between whatever counts together.
 *
 * A request whose signal fires while it waits is never made, and uses up nothing of the limits.
 *
 * @param signal Of the whole run: all that wait leave at once, and none begins any more.
 */
export function limiterMiddleware(
  { maxParallel, perMinute }: RequestLimits,
  signal?: AbortSignal,
): LanguageModelMiddleware {
  const slots = pLimit(maxParallel ?? Number.POSITIVE_INFINITY);
  const begin = perMinute
    ? pThrottle({ limit: perMinute, interval: 60_000, strict: true, ...(signal ? { signal } : {}) })(async () => {})
    : async () => {};
  const queue = pLimit(1);
  let mayBegin: Promise<void> | undefined;
  /** One at a time: whoever has given up leaves the next beginning to the next in the queue. */
  const takeTurn = async (own: AbortSignal | undefined) => {
    own?.throwIfAborted();
    signal?.throwIfAborted();
    mayBegin ??= begin();
    try {
      await mayBegin;
    } catch (error) {
      mayBegin = undefined;
      throw error;
    }
    own?.throwIfAborted();
    mayBegin = undefined;
  };
  return {
    specificationVersion: "v3",
    wrapGenerate: async ({ doGenerate, params }) =>
      await slots(async () => {
        await queue(() => takeTurn(params.abortSignal));
        return await doGenerate();
      }),
  };
}
