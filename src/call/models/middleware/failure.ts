import { isCallweaveError, ModelError } from "../../../base/errors.ts";
import { isRecord, readableError, retryAfterMs } from "../../../base/values/mod.ts";
import { providerWords } from "./provider_words.ts";
import { refusalCause } from "./refusal.ts";

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
