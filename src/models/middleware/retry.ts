import { setTimeout as sleep } from "node:timers/promises";
import type { LanguageModelMiddleware } from "ai";
import pRetry from "p-retry";
import { ModelError } from "../../errors.ts";
import { isRecord } from "../../graph/mod.ts";
import { redact } from "../../secrets/mod.ts";
import { untilAborted } from "../time_limit.ts";
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

/** What one call is held to. */
export interface RetryOptions {
  readonly policy: RetryPolicy;
  /** The answer's text in its plainest form, or what is wrong with it; absent where any text will do. */
  readonly check?: (text: string) => { readonly text: string } | { readonly problem: string };
  readonly signature: string;
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
export function retryMiddleware({ policy, check, signature }: RetryOptions): LanguageModelMiddleware {
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
      const attempt = async () => {
        try {
          const result = await untilAborted(model.doGenerate(params), params.abortSignal);
          refuseBrokenCalls(result, signature);
          return check ? checked(result, check, signature) : result;
        } catch (error) {
          throw new FailedTry(
            failureOf(error, { signature, timedOut: false, aborted: params.abortSignal?.aborted === true }),
          );
        }
      };
      try {
        return await pRetry(attempt, {
          // models of our own answer the same again, or use up another answer of a queue
          retries: model.provider === "callweave" ? 0 : retries,
          minTimeout: minDelayMs,
          maxTimeout: maxDelayMs,
          randomize: true,
          ...(params.abortSignal ? { signal: params.abortSignal } : {}),
          shouldRetry: ({ error }) => {
            if (!(error instanceof FailedTry)) return false;
            const { kind, afterMs } = error.failure;
            if (kind === "timeout") timeouts += 1;
            return kind !== "final" && timeouts <= timeoutRetries && afterMs <= maxDelayMs;
          },
          onFailedAttempt: async ({ error, retriesLeft }) => {
            const afterMs = error instanceof FailedTry && retriesLeft > 0 ? error.failure.afterMs : 0;
            if (afterMs > 0 && afterMs <= maxDelayMs) {
              await sleep(afterMs, undefined, params.abortSignal ? { signal: params.abortSignal } : {});
            }
          },
        });
      } catch (error) {
        if (error instanceof FailedTry) throw error.failure.error;
        throw failureOf(error, { signature, timedOut: false, aborted: params.abortSignal?.aborted === true }).error;
      }
    },
  };
}

type Generated = Awaited<ReturnType<NonNullable<LanguageModelMiddleware["wrapGenerate"]>>>;

/** A tool must not be called with the half of its arguments that could be read. */
function refuseBrokenCalls({ content }: Generated, signature: string): void {
  for (const part of content) {
    if (part.type !== "tool-call" || part.input.trim() === "" || isRecord(parsed(part.input))) continue;
    throw new ModelError(
      `Cannot use the model's answer to "${signature}": its arguments for a tool are no JSON object`,
      {
        code: "model-output",
        path: [signature, part.toolName],
        hint: `Use a model that can call tools; it gave ${JSON.stringify(redact(part.input).slice(0, 200))}`,
      },
    );
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function checked(result: Generated, check: NonNullable<RetryOptions["check"]>, signature: string): Generated {
  const text = result.content.map((part) => (part.type === "text" ? part.text : "")).join("");
  const read = check(text);
  if ("text" in read) return { ...result, content: [{ type: "text", text: read.text }] };
  throw new ModelError(`Cannot use the model's answer to "${signature}": ${redact(read.problem)}`, {
    code: "model-output",
    path: [signature],
    hint: `Use a model that keeps to JSON schemas; it answered ${JSON.stringify(redact(text).slice(0, 200))}`,
  });
}
