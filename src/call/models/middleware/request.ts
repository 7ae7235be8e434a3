import type { LanguageModelMiddleware } from "ai";
import pLimit from "p-limit";
import pThrottle from "p-throttle";
import { type Clock, startRequestLimit, untilAborted } from "../../../base/values/mod.ts";
import { modelName } from "../model.ts";
import { costUsd, type PriceTable } from "../prices.ts";
import { checkAnswer } from "../resolve.ts";
import type { SignatureName } from "../signature.ts";
import { failureOf } from "./retry.ts";

/** Rejects as soon as the call is aborted: middleware inside may wait for a start without watching the signal. */
export function abortable(): LanguageModelMiddleware {
  return {
    specificationVersion: "v3",
    wrapGenerate: async ({ doGenerate, params }) => await untilAborted(doGenerate(), params.abortSignal),
  };
}

/** Calls `onRequest` when a request is sent instead of replayed. */
export function requestWatch(onRequest: () => void): LanguageModelMiddleware {
  return {
    specificationVersion: "v3",
    wrapGenerate: async ({ doGenerate }) => {
      onRequest();
      return await doGenerate();
    },
  };
}

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

/** Usage of one request. Tokens are 0 when the provider does not report them. */
export interface CallUsage {
  readonly signature: SignatureName;
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In US dollars; `undefined` when the model has no price. */
  readonly costUsd: number | undefined;
  /** Set when the request failed. */
  readonly failed?: true;
  /** Time from the request to the answer, in milliseconds. */
  readonly modelMs: number;
}

/** Counts the requests of a model call. */
export interface Meter {
  readonly onUsage: (usage: CallUsage) => void;
  readonly prices?: PriceTable | undefined;
}

/** Reports a request with the tokens of its answer; without them it has failed. */
function countRequest(
  { onUsage, prices = {} }: Meter,
  request: Pick<CallUsage, "signature" | "model" | "modelMs">,
  tokens?: { readonly input?: number | undefined; readonly output?: number | undefined },
): void {
  const { input = 0, output = 0 } = tokens ?? {};
  const { signature, model, modelMs } = request;
  onUsage({
    ...(tokens ? undefined : { failed: true }),
    signature,
    model,
    modelMs,
    inputTokens: input,
    outputTokens: output,
    costUsd: costUsd(model, { input, output }, prices),
  });
}

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
