import type { LanguageModelMiddleware } from "ai";
import { type Clock, startRequestLimit } from "../../../base/values/mod.ts";
import { checkAnswer } from "../checked_settings.ts";
import { modelName } from "../model.ts";
import type { SignatureName } from "../signature.ts";
import { failureOf } from "./failure.ts";
import { countRequest, type Meter } from "./usage.ts";

/** Options of {@link requestMiddleware}. */
export interface RequestSettings {
  readonly signature: SignatureName;
  /** Limit of the request's time, in milliseconds. */
  readonly timeoutMs: number;
  readonly timers: Clock;
  /** Counts every request that reaches the model, failed ones too. */
  readonly meter: Meter | undefined;
}

/**
 * Sends a request: limits its time, checks the shape of its answer and counts it. One layer for the three, because a
 * layer costs every request several promises.
 *
 * It must be inside the limiter: waiting for a start does not count, and a provider that ignores its signal must not
 * block other requests.
 */
export function requestMiddleware({ signature, timeoutMs, timers, meter }: RequestSettings): LanguageModelMiddleware {
  return {
    specificationVersion: "v3",
    wrapGenerate: async ({ params, model }) => {
      const started = performance.now();
      const request = () => ({ signature, model: modelName(model), modelMs: performance.now() - started });
      const limit = startRequestLimit(timeoutMs, params.abortSignal, timers);
      try {
        const answer = await limit.until(model.doGenerate({ ...params, abortSignal: limit.signal }));
        checkAnswer(answer, signature);
        const { inputTokens, outputTokens } = answer.usage;
        if (meter) countRequest(meter, request(), { input: inputTokens.total, output: outputTokens.total });
        return answer;
      } catch (error) {
        if (meter) countRequest(meter, request());
        if (!limit.expired() || params.abortSignal?.aborted) throw error;
        throw failureOf(error, { signature, timedOut: true, aborted: false }).error;
      } finally {
        limit[Symbol.dispose]();
      }
    },
  };
}
