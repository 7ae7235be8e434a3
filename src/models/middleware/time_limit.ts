import type { LanguageModelMiddleware } from "ai";
import type { Clock } from "../../values/mod.ts";
import { startRequestLimit } from "../time_limit.ts";
import { failureOf } from "./failure.ts";

/**
 * Limits the time of each request, in milliseconds. It must be inside the limiter, because waiting for a start does not
 * count and a provider that ignores its signal must not block other requests.
 */
export function timeLimitMiddleware(signature: string, timeoutMs: number, timers: Clock): LanguageModelMiddleware {
  return {
    specificationVersion: "v3",
    wrapGenerate: async ({ params, model }) => {
      using limit = startRequestLimit(timeoutMs, params.abortSignal, timers);
      const { signal } = limit;
      try {
        return await limit.until(model.doGenerate({ ...params, abortSignal: signal }));
      } catch (error) {
        if (!limit.expired() || params.abortSignal?.aborted) throw error;
        throw failureOf(error, { signature, timedOut: true, aborted: false }).error;
      }
    },
  };
}
