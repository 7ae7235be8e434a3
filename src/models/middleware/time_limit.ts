import type { LanguageModelMiddleware } from "ai";
import type { Clock } from "../../values/mod.ts";
import { startTimeLimit, untilAborted } from "../time_limit.ts";
import { failureOf } from "./failure.ts";

/**
 * Holds each request to a time, in milliseconds. It belongs within the limits that runs share: waiting for one's turn
 * is no request, and a provider that ignores its signal must not keep a place that others wait for.
 */
export function timeLimitMiddleware(signature: string, timeoutMs: number, timers: Clock): LanguageModelMiddleware {
  return {
    specificationVersion: "v3",
    wrapGenerate: async ({ params, model }) => {
      using limit = startTimeLimit(timeoutMs, params.abortSignal, timers);
      const { signal } = limit;
      try {
        return await untilAborted(model.doGenerate({ ...params, abortSignal: signal }), signal);
      } catch (error) {
        if (!limit.expired() || params.abortSignal?.aborted) throw error;
        throw failureOf(error, { signature, timedOut: true, aborted: false }).error;
      }
    },
  };
}
