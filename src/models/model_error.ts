import { isCallweaveError, ModelError } from "../errors.ts";
import { isRecord } from "../graph/mod.ts";
import { redact } from "./redact.ts";
import type { SignatureName } from "./signature.ts";

/** What is known about a call that threw. */
export interface FailedCall {
  readonly signature: SignatureName;
  readonly timedOut: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** The typed error for whatever a model call threw, in the provider's own words and without any key in it. */
export function toModelError(error: unknown, { signature, timedOut, signal }: FailedCall): Error {
  if (isCallweaveError(error)) return error;
  const last = isRecord(error) && "lastError" in error ? error.lastError : error; // the AI SDK's RetryError
  if (isCallweaveError(last)) return last;
  const path = [signature];
  if (signal?.aborted) {
    return new ModelError(`Cannot finish "${signature}": the call was aborted`, {
      code: "aborted",
      path,
      hint: "Nothing is wrong: somebody cancelled it",
    });
  }
  if (timedOut) {
    return new ModelError(`Cannot finish "${signature}": the model did not answer in time`, {
      code: "model-timeout",
      path,
      hint: "Try again, use a faster model or allow it more time",
    });
  }
  const status = isRecord(last) && typeof last.statusCode === "number" ? ` (HTTP ${last.statusCode})` : "";
  const words = redact(last instanceof Error ? last.message : String(last));
  return new ModelError(`Cannot finish "${signature}": ${words}${status}`, {
    code: "model-failed",
    path,
    hint: hintFor(isRecord(last) ? last.statusCode : undefined),
  });
}

function hintFor(status: unknown): string {
  if (status === 401 || status === 403) return "Check the provider's key in the environment";
  if (status === 404) return "Check the model's name";
  if (status === 429) return "Wait, or run fewer scenarios at a time";
  return "Try again, or check that the model's server can be reached";
}
