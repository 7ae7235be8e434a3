import type { LanguageModelMiddleware } from "ai";
import { SYSTEM_CLOCK } from "../../base/values/mod.ts";
import type { JsonSchema } from "../../document/graph/mod.ts";
import { type CallOptions, type CallShape, DEFAULT_TRY_TIMEOUT_MS } from "./call_options.ts";
import { answerGuard, checkedCallClock, checkedMiddleware } from "./checked_settings.ts";
import {
  type AnswerCheck,
  abortable,
  requestMiddleware,
  requestWatch,
  retryMiddleware,
  streamingMiddleware,
  structuredAnswers,
  waitingMiddleware,
} from "./middleware/mod.ts";
import type { Model } from "./model.ts";
import type { SignatureName } from "./signature.ts";

/** The parts of a request that its layers read. */
export interface LayeredRequest {
  readonly check: AnswerCheck;
  /** The schema of a structured answer. */
  readonly schema?: JsonSchema;
  /** Texts of a reply that must not be streamed. */
  readonly notes: readonly string[];
}

const NONE: readonly LanguageModelMiddleware[] = [];

/** The layers around a model, outermost first. */
export function layers(
  model: Model,
  signature: SignatureName,
  options: CallOptions,
  { check, schema, notes }: LayeredRequest,
): LanguageModelMiddleware[] {
  const { timers = SYSTEM_CLOCK, clock, onRetry } = options;
  // embedded models read the input itself
  const structured =
    schema && model.provider !== "callweave" ? structuredAnswers(model, { signature, clock, onRetry }) : undefined;
  const within = options.within ? checkedMiddleware(options.within, "within") : NONE;
  const waiting = options.clock && within.length > 0 ? waitingMiddleware(checkedCallClock(options.clock)) : undefined;
  const around = options.around ? checkedMiddleware(options.around(shapeOf(signature, options)), "around") : NONE;
  const all: LanguageModelMiddleware[] = [];
  if (around.length > 0) all.push(answerGuard("around"), ...around);
  if (options.onRequest) all.push(requestWatch(options.onRequest));
  all.push(
    retryMiddleware({
      policy: options.retry ?? {},
      signature,
      check: structured ? structured.checked(check) : check,
      timers,
      ...(onRetry ? { onRetry } : {}),
    }),
  );
  if (structured) all.push(structured.middleware);
  if (within.length > 0) all.push(abortable(), answerGuard("within"));
  if (waiting) all.push(waiting.outer, ...within, waiting.inner);
  else all.push(...within);
  all.push(
    requestMiddleware({
      signature,
      timeoutMs: options.tryTimeoutMs ?? DEFAULT_TRY_TIMEOUT_MS,
      timers,
      meter: options.onUsage && { onUsage: options.onUsage, prices: options.prices },
    }),
  );
  if (options.onToken && signature === "respond") all.push(streamingMiddleware(options.onToken, notes));
  return all;
}

function shapeOf(signature: SignatureName, { slice, onReplayed }: CallOptions): CallShape {
  return { signature, slice: slice?.() ?? "", ...(onReplayed ? { onReplayed } : {}) };
}
