import type { LanguageModelMiddleware } from "ai";
import { ModelError } from "../../../base/errors.ts";
import { redact } from "../../../base/redaction/mod.ts";
import type { Clock } from "../../../base/values/mod.ts";
import type { AnswerCheck, AnswerFault, Generated } from "./answer_check.ts";
import { type Failure, failureOf } from "./failure.ts";

/** How model calls are retried. */
export interface RetryPolicy {
  /** Maximum number of retries. Default: 4. */
  readonly retries?: number;
  /** Maximum number of retries after a timeout. Default: 2. */
  readonly timeoutRetries?: number;
  /** Maximum number of retries after an answer that cannot be used. They come without a delay. Default: 2. */
  readonly answerRetries?: number;
  /** Delay before the first retry, in milliseconds; it doubles each time, with jitter. Default: 500. */
  readonly minDelayMs?: number;
  /** Maximum delay, in milliseconds. If `Retry-After` asks for more, the call fails. Default: 60,000. */
  readonly maxDelayMs?: number;
}

/** The default policy. */
export const DEFAULT_RETRIES = {
  retries: 4,
  timeoutRetries: 2,
  answerRetries: 2,
  minDelayMs: 500,
  maxDelayMs: 60_000,
} as const satisfies RetryPolicy;

/** A retry of a model call. */
export interface Retry {
  readonly signature: string;
  /** 1 for the first retry. */
  readonly retry: number;
  /** Why the previous attempt failed. */
  readonly reason: string;
}

/** Options of {@link retryMiddleware}. */
export interface RetryOptions {
  readonly policy: RetryPolicy;
  /** Checks whether an answer can be used. */
  readonly check: AnswerCheck;
  readonly signature: string;
  readonly onRetry?: (retry: Retry) => void;
  /** Used for the delays. */
  readonly timers: Clock;
}

/**
 * Creates the function that decides whether a failed request is sent again, and waits for the delay before the retry.
 * `number` counts the failures of the request, from 1.
 */
export function createRetries({
  policy,
  signature,
  onRetry,
  timers,
}: Omit<RetryOptions, "check">): (failure: Failure, number: number, signal?: AbortSignal) => Promise<boolean> {
  const {
    retries = DEFAULT_RETRIES.retries,
    timeoutRetries = DEFAULT_RETRIES.timeoutRetries,
    answerRetries = DEFAULT_RETRIES.answerRetries,
    minDelayMs = DEFAULT_RETRIES.minDelayMs,
    maxDelayMs = DEFAULT_RETRIES.maxDelayMs,
  } = policy;
  let timeouts = 0;
  let unusableAnswers = 0;
  return async ({ kind, afterMs, error }, number, signal) => {
    if (kind === "timeout") timeouts += 1;
    if (kind === "unusable") unusableAnswers += 1;
    if (number > retries || kind === "final" || timeouts > timeoutRetries || afterMs > maxDelayMs) return false;
    if (unusableAnswers > answerRetries) return false;
    onRetry?.({ signature, retry: number, reason: error.message });
    if (kind === "unusable") return true; // waiting makes no answer better
    const jitter = 1 + Math.random();
    const delayMs = Math.min(maxDelayMs, minDelayMs * 2 ** (number - 1) * jitter);
    await timers.pause(afterMs + delayMs, signal);
    return true;
  };
}

/**
 * Retries a call after rate limits, server errors, timeouts and broken connections, with exponential backoff and jitter,
 * and never before `Retry-After`; after unusable answers at once. Rejected keys and exhausted quotas fail at once.
 */
export function retryMiddleware({ policy, check, signature, onRetry, timers }: RetryOptions): LanguageModelMiddleware {
  const { retries = DEFAULT_RETRIES.retries } = policy;
  const heard = onRetry ? { onRetry } : {};
  return {
    specificationVersion: "v3",
    wrapGenerate: async ({ params, model }) => {
      // embedded models would answer the same again, or take another answer from their queue
      const most = model.provider === "callweave" ? 0 : retries;
      let isRetried: ReturnType<typeof createRetries> | undefined;
      // usable answers with a fault: their number, and the last one
      let doubtful = 0;
      let lastResort: Generated | undefined;
      for (let number = 1; ; number++) {
        let failure: Failure;
        try {
          params.abortSignal?.throwIfAborted();
          const checked = check(await model.doGenerate(params), params);
          params.abortSignal?.throwIfAborted();
          if (!("answer" in checked)) throw unusable(signature, checked.fault);
          const { answer, fault } = checked;
          if (!fault || doubtful >= Math.min(fault.retries ?? most, most)) return answer;
          doubtful += 1;
          lastResort = answer;
          throw unusable(signature, fault);
        } catch (error) {
          const aborted = params.abortSignal?.aborted === true;
          failure = failureOf(error, { signature, timedOut: false, aborted });
        }
        isRetried ??= createRetries({ policy: { ...policy, retries: most }, signature, timers, ...heard });
        if (await isRetried(failure, number, params.abortSignal)) continue;
        if (lastResort && failure.kind !== "final") return lastResort;
        throw failure.error;
      }
    },
  };
}

function unusable(signature: string, { problem, hint }: AnswerFault): ModelError {
  return new ModelError(`Cannot use the model's answer to "${signature}": ${redact(problem)}`, {
    code: "model-output",
    path: [signature],
    hint,
  });
}
