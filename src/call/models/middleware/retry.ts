import type { LanguageModelMiddleware } from "ai";
import { ModelError } from "../../../base/errors.ts";
import { redact } from "../../../base/redaction/mod.ts";
import { backoffMs, type Clock, startTimeLimit, withRetries } from "../../../base/values/mod.ts";
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
  readonly onRetry?: ((retry: Retry) => void) | undefined;
  /** Used for the delays. */
  readonly timers: Clock;
}

/** An attempt's failure, on its way to what decides about the next attempt. */
class FailedTry extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.error.message);
    this.failure = failure;
  }
}

/** A request to a model, and how it is retried. */
interface RetriedRequest extends Omit<RetryOptions, "check"> {
  readonly signal?: AbortSignal | undefined;
}

/** {@link RetriedRequest} with a time limit for each attempt. */
export interface TimedRequest extends RetriedRequest {
  readonly tryTimeoutMs: number;
}

/**
 * Sends a request until it is answered, or fails for good.
 *
 * @returns The answer, or the last failure.
 */
async function answerOrFailure<Answer>(
  send: () => Promise<Answer>,
  { policy, signature, onRetry, timers, signal }: RetriedRequest,
): Promise<{ readonly answer: Answer } | { readonly failure: Failure }> {
  const {
    retries = DEFAULT_RETRIES.retries,
    timeoutRetries = DEFAULT_RETRIES.timeoutRetries,
    answerRetries = DEFAULT_RETRIES.answerRetries,
    minDelayMs = DEFAULT_RETRIES.minDelayMs,
    maxDelayMs = DEFAULT_RETRIES.maxDelayMs,
  } = policy;
  const failureIn = (error: unknown) =>
    error instanceof FailedTry
      ? error.failure
      : failureOf(error, { signature, timedOut: false, aborted: signal?.aborted === true });
  let timeouts = 0;
  let unusableAnswers = 0;
  try {
    const attempt = async () => {
      try {
        signal?.throwIfAborted();
        const answer = await send();
        signal?.throwIfAborted();
        return answer;
      } catch (error) {
        throw new FailedTry(failureIn(error));
      }
    };
    const answer = await withRetries(attempt, {
      most: retries,
      mayPass: (error) => {
        const { kind, afterMs } = failureIn(error);
        if (kind === "timeout") timeouts += 1;
        if (kind === "unusable") unusableAnswers += 1;
        if (kind === "final" || afterMs > maxDelayMs) return false;
        return timeouts <= timeoutRetries && unusableAnswers <= answerRetries;
      },
      pauseMs: (error, failed) => {
        const { kind, afterMs } = failureIn(error);
        if (kind === "unusable") return undefined; // waiting makes no answer better
        return afterMs + backoffMs({ firstMs: minDelayMs, longestMs: maxDelayMs, jitter: [1, 2] }, failed);
      },
      onRetry: (error, retry) => onRetry?.({ signature, retry, reason: failureIn(error).error.message }),
      clock: timers,
      signal,
    });
    return { answer };
  } catch (error) {
    return { failure: failureIn(error) };
  }
}

/**
 * Sends a request to a model that has no middleware: each attempt has a time limit.
 *
 * @throws {ModelError} `model-failed`, `model-timeout`, `key-refused`, `aborted`, and what a model of Callweave throws.
 */
export async function answerInTime<Answer>(
  send: (signal: AbortSignal) => Promise<Answer>,
  { tryTimeoutMs, ...request }: TimedRequest,
): Promise<Answer> {
  const { signature, signal, timers } = request;
  const attempt = async () => {
    using limit = startTimeLimit(tryTimeoutMs, signal, timers);
    try {
      return await limit.until(send(limit.signal));
    } catch (error) {
      const timedOut = limit.expired() && signal?.aborted !== true;
      throw timedOut ? failureOf(error, { signature, timedOut, aborted: false }).error : error;
    }
  };
  const outcome = await answerOrFailure(attempt, request);
  if ("failure" in outcome) throw outcome.failure.error;
  return outcome.answer;
}

/**
 * Retries a call after rate limits, server errors, timeouts and broken connections, with exponential backoff and jitter,
 * and never before `Retry-After`; after unusable answers at once. Rejected keys and exhausted quotas fail at once.
 */
export function retryMiddleware({ policy, check, ...options }: RetryOptions): LanguageModelMiddleware {
  const { signature } = options;
  return {
    specificationVersion: "v3",
    wrapGenerate: async ({ params, model }) => {
      // embedded models would answer the same again, or take another answer from their queue
      const retries = model.provider === "callweave" ? 0 : (policy.retries ?? DEFAULT_RETRIES.retries);
      // usable answers with a fault: their number, and the last one
      let doubtful = 0;
      let lastResort: Generated | undefined;
      const send = async () => {
        const checked = check(await model.doGenerate(params), params);
        if (!("answer" in checked)) throw unusable(signature, checked.fault);
        const { answer, fault } = checked;
        if (!fault || doubtful >= Math.min(fault.retries ?? retries, retries)) return answer;
        doubtful += 1;
        lastResort = answer;
        throw unusable(signature, fault);
      };
      const signal = params.abortSignal;
      const outcome = await answerOrFailure(send, { ...options, policy: { ...policy, retries }, signal });
      if ("answer" in outcome) return outcome.answer;
      if (lastResort && outcome.failure.kind !== "final") return lastResort;
      throw outcome.failure.error;
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
