import type { LanguageModelMiddleware } from "ai";
import pRetry from "p-retry";
import { ModelError } from "../../errors.ts";
import { redact } from "../../redaction/mod.ts";
import type { Clock } from "../../values/mod.ts";
import { untilAborted } from "../time_limit.ts";
import type { AnswerCheck, AnswerFault, Generated } from "./answer_check.ts";
import { type Failure, failureOf } from "./failure.ts";

/** How often, and how patiently, a model call is tried again. */
export interface RetryPolicy {
  /** Tries after the first. Default: 4. */
  readonly retries?: number;
  /** Of these, tries after a time-out. Default: 2. */
  readonly timeoutRetries?: number;
  /** Wait before the second try, in milliseconds; it doubles each time, with jitter. Default: 500. */
  readonly minDelayMs?: number;
  /** Longest wait, also where a server's `Retry-After` asks for more: then the call fails. Default: 60,000. */
  readonly maxDelayMs?: number;
}

/** The policy where nothing else is said. */
export const DEFAULT_RETRIES = {
  retries: 4,
  timeoutRetries: 2,
  minDelayMs: 500,
  maxDelayMs: 60_000,
} as const satisfies RetryPolicy;

/** A model call that is tried again. */
export interface Retry {
  readonly signature: string;
  /** 1 for the first try after the one that failed. */
  readonly retry: number;
  /** Why the try before it failed. */
  readonly reason: string;
}

/** What one call is held to. */
export interface RetryOptions {
  readonly policy: RetryPolicy;
  /** Whether an answer can be used. */
  readonly check: AnswerCheck;
  readonly signature: string;
  readonly onRetry?: (retry: Retry) => void;
  /** Of the pauses between tries. */
  readonly timers: Clock;
}

/** A try that failed; thrown inside, so that p-retry sees one kind of error. */
class FailedTry extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.error.message);
    this.failure = failure;
  }
}

/**
 * Tries a call again after rate limits, server errors, time-outs, broken connections and answers that cannot be used:
 * exponentially, with jitter, never before a `Retry-After` is over. Refusals and exhausted quotas fail at once.
 */
export function retryMiddleware({ policy, check, signature, onRetry, timers }: RetryOptions): LanguageModelMiddleware {
  const {
    retries = DEFAULT_RETRIES.retries,
    timeoutRetries = DEFAULT_RETRIES.timeoutRetries,
    minDelayMs = DEFAULT_RETRIES.minDelayMs,
    maxDelayMs = DEFAULT_RETRIES.maxDelayMs,
  } = policy;
  return {
    specificationVersion: "v3",
    wrapGenerate: async ({ params, model }) => {
      let timeouts = 0;
      // models of our own answer the same again, or use up another answer of a queue
      const most = model.provider === "callweave" ? 0 : retries;
      // answers with a fault that can be used where no better one comes: how many, and the last one
      let doubtful = 0;
      let lastResort: Generated | undefined;
      const attempt = async () => {
        try {
          const checked = check(await untilAborted(model.doGenerate(params), params.abortSignal), params);
          if (!("answer" in checked)) throw unusable(signature, checked.fault);
          const { answer, fault } = checked;
          if (!fault || doubtful >= Math.min(fault.retries ?? most, most)) return answer;
          doubtful += 1;
          lastResort = answer;
          throw unusable(signature, fault);
        } catch (error) {
          throw new FailedTry(
            failureOf(error, { signature, timedOut: false, aborted: params.abortSignal?.aborted === true }),
          );
        }
      };
      try {
        return await pRetry(attempt, {
          retries: most,
          minTimeout: 0, // shouldRetry pauses
          ...(params.abortSignal ? { signal: params.abortSignal } : {}),
          shouldRetry: async ({ error, attemptNumber }) => {
            if (!(error instanceof FailedTry)) return false;
            const { kind, afterMs } = error.failure;
            if (kind === "timeout") timeouts += 1;
            const again = kind !== "final" && timeouts <= timeoutRetries && afterMs <= maxDelayMs;
            if (!again) return false;
            onRetry?.({ signature, retry: attemptNumber, reason: error.failure.error.message });
            const jitter = 1 + Math.random();
            const delayMs = Math.min(maxDelayMs, minDelayMs * 2 ** (attemptNumber - 1) * jitter);
            await timers.pause(afterMs + delayMs, params.abortSignal);
            return true;
          },
        });
      } catch (error) {
        if (lastResort && error instanceof FailedTry && error.failure.kind !== "final") return lastResort;
        if (error instanceof FailedTry) throw error.failure.error;
        throw failureOf(error, { signature, timedOut: false, aborted: params.abortSignal?.aborted === true }).error;
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
