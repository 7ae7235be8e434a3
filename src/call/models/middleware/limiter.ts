import type { LanguageModelMiddleware } from "ai";
import pLimit from "p-limit";
import pThrottle from "p-throttle";

/** Limits of the requests to each model, shared by all calls of a run. */
export interface RequestLimits {
  /** Maximum number of concurrent requests to a model. Default: no limit. */
  readonly maxParallel?: number;
  /** Maximum number of requests to a model that start within any minute. Default: no limit. */
  readonly perMinute?: number;
}

/**
 * Limits all requests that pass through it. Share one limiter between everything that counts together.
 *
 * A request that is aborted while it waits is not sent and does not count.
 *
 * @param signal Aborts the whole run: waiting requests reject, and no further request starts.
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
  /**
   * Waits for permission to start, one request at a time. An aborted request passes its start to the next one in the
   * queue.
   */
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
