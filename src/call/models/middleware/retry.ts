import type { LanguageModelMiddleware } from "ai";
import { isCallweaveError, ModelError } from "../../../base/errors.ts";
import { redact } from "../../../base/redaction/mod.ts";
import {
  backoffMs,
  type Clock,
  isRecord,
  readableError,
  retryAfterMs,
  startTimeLimit,
  withRetries,
} from "../../../base/values/mod.ts";
import type { CallClock } from "../call_clock.ts";
import type { AnswerCheck, AnswerFault, Generated } from "./answer_check.ts";
import { providerWords } from "./provider_words.ts";
import { refusalCause } from "./refusal.ts";

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

function unusable(signature: string, { problem, hint }: AnswerFault): ModelError {
  return new ModelError(`Cannot use the model's answer to "${signature}": ${redact(problem)}`, {
    code: "model-output",
    path: [signature],
    hint,
  });
}

/**
 * Pauses the clock of a call while the layers between the outer and the inner middleware delay a request. One pair
 * serves one model call.
 */
export function waitingMiddleware(clock: CallClock): {
  readonly outer: LanguageModelMiddleware;
  readonly inner: LanguageModelMiddleware;
} {
  let goOn = () => {};
  return {
    outer: {
      specificationVersion: "v3",
      wrapGenerate: async ({ doGenerate, params }) => {
        params.abortSignal?.throwIfAborted(); // an aborted signal fires no event
        const done = clock.pause();
        goOn = done;
        // an aborted request may still be in a queue, but nothing waits for it
        params.abortSignal?.addEventListener("abort", done, { once: true });
        try {
          return await doGenerate();
        } finally {
          params.abortSignal?.removeEventListener("abort", done);
          done();
        }
      },
    },
    inner: {
      specificationVersion: "v3",
      wrapGenerate: async ({ doGenerate }) => {
        goOn();
        return await doGenerate();
      },
    },
  };
}

/** Errors that the AI SDK throws for unusable answers; matched by name, as there may be several copies of it. */
const UNUSABLE = /^AI_(InvalidResponseData|NoContentGenerated|EmptyResponseBody|JSONParse|TypeValidation)Error$/;

/** Too many requests, service unavailable, and Anthropic's "overloaded". */
const OVERLOADED: readonly number[] = [429, 503, 529];

/** Error of a failed attempt, and whether to retry. */
export interface Failure {
  readonly error: Error;
  /** `final`: a retry would not help. `unusable`: the model answered, but not what it was asked for. */
  readonly kind: "again" | "unusable" | "timeout" | "final";
  /** Milliseconds from the server's `Retry-After`; 0 without one. */
  readonly afterMs: number;
}

/** Circumstances of a failed attempt. */
export interface FailedTryContext {
  readonly signature: string;
  /** Whether the attempt timed out. */
  readonly timedOut: boolean;
  /** Whether the call was aborted. */
  readonly aborted: boolean;
}

const NETWORK = /fetch failed|terminated|network|socket|connection|ECONN|EPIPE|ETIMEDOUT|EAI_AGAIN|other side closed/i;
const QUOTA = /insufficient_quota|exceeded your current quota|billing|credit balance|insufficient credits/i;
/** Rate limits per minute. Their messages may also name the page on which quotas are raised. */
const RATE = /rate limit reached/i;

/** Creates the typed error for a failed attempt, with the provider's message and without keys. */
export function failureOf(thrown: unknown, { signature, timedOut, aborted }: FailedTryContext): Failure {
  const error = readableError(thrown);
  const path = [signature];
  if (aborted) {
    const hint = "Start the call again, without the aborted signal";
    return final(new ModelError(`Cannot finish "${signature}": the call was aborted`, { code: "aborted", path, hint }));
  }
  if (timedOut) {
    const message = `Cannot finish "${signature}": the model did not answer in time`;
    const hint = "Try again, use a faster model or raise the time limit";
    return { error: new ModelError(message, { code: "model-timeout", path, hint }), kind: "timeout", afterMs: 0 };
  }
  if (isCallweaveError(error)) {
    const kind = error.code === "model-output" ? "unusable" : error.code === "model-timeout" ? "timeout" : "final";
    return { error, kind, afterMs: 0 };
  }
  const status = isRecord(error) && typeof error.statusCode === "number" ? error.statusCode : undefined;
  const words = providerWords(error) || "it gave no reason";
  const failed = new ModelError(`Cannot finish "${signature}": ${words}${status ? ` (HTTP ${status})` : ""}`, {
    code: isRefusedKey(status, words) ? "key-refused" : "model-failed",
    path,
    hint: isQuota(error)
      ? "Raise the quota or the credit at the provider"
      : hintFor(error, isRefusedKey(status, words) ? 401 : status),
  });
  if (!mayPass(error, status)) return final(failed);
  return { error: failed, kind: "again", afterMs: askedWaitMs(error) };
}

/**
 * Whether a server refused a request because it gets too many at a time or a minute, so that fewer may be answered. A
 * spent quota is another matter.
 */
export function isOverloaded(error: unknown): boolean {
  return isRecord(error) && OVERLOADED.includes(Number(error.statusCode)) && !isQuota(error);
}

function final(error: Error): Failure {
  return { error, kind: "final", afterMs: 0 };
}

function mayPass(error: unknown, status: number | undefined): boolean {
  const words = error instanceof Error ? `${error.message} ${causeOf(error)}` : "";
  if (isQuota(error)) return false;
  if (status === undefined) return NETWORK.test(words) || (error instanceof Error && UNUSABLE.test(error.name));
  // an unusable answer: the AI SDK reports it with the status of the response
  return status === 408 || status === 409 || status === 429 || status >= 500 || status < 400;
}

/**
 * Whether the key was rejected. Some servers answer 400 or 403, which have other causes too, so the message decides.
 */
function isRefusedKey(status: number | undefined, words: string): boolean {
  if (status === 401) return true;
  if (status === 403) return /\b(?:api[ _-]?key|credentials?|token|unauthori[sz]ed|authenticat\w+)\b/i.test(words);
  return status === 400 && /\bapi[ _-]?key\b.*\b(?:not valid|invalid|incorrect)\b/i.test(words);
}

function isQuota(error: unknown): boolean {
  if (!isRecord(error)) return false;
  const words = `${String(error.message ?? "")} ${String(error.responseBody ?? "")}`;
  return QUOTA.test(words) && (!RATE.test(words) || words.includes("insufficient_quota"));
}

function causeOf(error: Error): string {
  return error.cause instanceof Error ? `${error.cause.message} ${String(Reflect.get(error.cause, "code") ?? "")}` : "";
}

function askedWaitMs(error: unknown): number {
  const headers = isRecord(error) && isRecord(error.responseHeaders) ? error.responseHeaders : {};
  const milliseconds = Number(headers["retry-after-ms"]);
  if (milliseconds > 0) return milliseconds;
  const after = headers["retry-after"];
  return (typeof after === "string" ? retryAfterMs(after, Date.now()) : undefined) ?? 0;
}

const REFUSAL_HINTS = {
  length: "Use a model with a longer context, or shorten the prompts",
  content: "Change the words that the provider's content filter rejects, or use another model",
  model: "Check the model's name",
  format: "Use a model whose server accepts JSON schemas, JSON mode or plain chat messages",
  tools: "Use a model that can call tools",
  unclear: "Check the model's name and the log of its server, or use another model",
  other: "Check the model's name and the settings that middleware adds, or use another model",
} as const;

function hintFor(error: unknown, status = 0): string {
  if (status === 401 || status === 403) return "Check the provider's key in the environment";
  if (status === 402) return "Raise the quota or the credit at the provider";
  if (status === 404) return "Check the model's name";
  if (status === 429) return "Wait, run fewer scenarios at a time, or raise the provider's limits";
  if ([408, 409].includes(status) || status < 400 || status >= 500)
    return "Try again, or check that the model's server can be reached";
  return REFUSAL_HINTS[refusalCause(error)];
}
