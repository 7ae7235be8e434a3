import { type Clock, SYSTEM_CLOCK, startTimeLimit } from "../../base/values/mod.ts";
import { createRetries, failureOf, type Retry, type RetryPolicy } from "../models/mod.ts";

/** Time limit, retries and abort signal of requests to speech and transcription models. */
export interface AudioRequestOptions {
  readonly tryTimeoutMs: number;
  readonly retry: RetryPolicy;
  readonly signal: AbortSignal | undefined;
  readonly onRetry?: ((retry: Retry) => void) | undefined;
  /** Used for time limits and retry delays. Default: the machine's clock. */
  readonly timers?: Clock | undefined;
}

/**
 * Sends a request to an audio model: each attempt has a time limit, and failures are retried as for language models.
 *
 * @throws {ModelError} `model-failed`, `model-timeout`, `key-refused`, `aborted`, and what a model of Callweave throws.
 */
export async function requestAudio<Answer>(
  kind: "speech" | "transcription",
  send: (signal: AbortSignal) => Promise<Answer>,
  { tryTimeoutMs, retry, signal, onRetry, timers = SYSTEM_CLOCK }: AudioRequestOptions,
): Promise<Answer> {
  const isRetried = createRetries({ policy: retry, signature: kind, timers, ...(onRetry ? { onRetry } : {}) });
  for (let number = 1; ; number += 1) {
    const limit = startTimeLimit(tryTimeoutMs, signal, timers);
    try {
      signal?.throwIfAborted();
      return await limit.until(send(limit.signal));
    } catch (error) {
      const aborted = signal?.aborted === true;
      const failure = failureOf(error, { signature: kind, timedOut: limit.expired() && !aborted, aborted });
      if (!(await isRetried(failure, number, signal))) throw failure.error;
    } finally {
      limit[Symbol.dispose]();
    }
  }
}
