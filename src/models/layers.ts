import type { LanguageModelMiddleware } from "ai";
import { SYSTEM_CLOCK } from "../values/mod.ts";
import { type CallOptions, type CallShape, DEFAULT_TRY_TIMEOUT_MS } from "./call_options.ts";
import { answerGuard, checkedCallClock, checkedMiddleware } from "./checked_settings.ts";
import {
  type AnswerCheck,
  abortable,
  plainSchemaMiddleware,
  requestMiddleware,
  requestWatch,
  retryMiddleware,
  streamingMiddleware,
  waitingMiddleware,
} from "./middleware/mod.ts";
import type { SignatureName } from "./signature.ts";

/** The parts of a request that its layers read. */
export interface LayeredRequest {
  readonly check: AnswerCheck;
  /** Set when the answer is structured. */
  readonly output?: unknown;
  /** Texts of a reply that must not be streamed. */
  readonly notes: readonly string[];
}

/** The layers around a model, outermost first. */
export function layers(
  signature: SignatureName,
  options: CallOptions,
  { check, output, notes }: LayeredRequest,
): LanguageModelMiddleware[] {
  const { timers = SYSTEM_CLOCK } = options;
  const within = checkedMiddleware(options.within ?? [], "within");
  const waiting = options.clock && within.length > 0 ? waitingMiddleware(checkedCallClock(options.clock)) : undefined;
  const around = options.around ? checkedMiddleware(options.around(shapeOf(signature, options)), "around") : [];
  return [
    ...(around.length > 0 ? [answerGuard("around"), ...around] : []),
    ...(options.onRequest ? [requestWatch(options.onRequest)] : []),
    retryMiddleware({
      policy: options.retry ?? {},
      signature,
      check,
      timers,
      ...(options.onRetry ? { onRetry: options.onRetry } : {}),
    }),
    ...(output ? [plainSchemaMiddleware()] : []),
    ...(within.length > 0 ? [abortable(), answerGuard("within")] : []),
    ...(waiting ? [waiting.outer, ...within, waiting.inner] : within),
    requestMiddleware({
      signature,
      timeoutMs: options.tryTimeoutMs ?? DEFAULT_TRY_TIMEOUT_MS,
      timers,
      meter: options.onUsage && { onUsage: options.onUsage, prices: options.prices },
    }),
    ...(options.onToken && signature === "respond" ? [streamingMiddleware(options.onToken, notes)] : []),
  ];
}

function shapeOf(signature: SignatureName, { slice, onReplayed }: CallOptions): CallShape {
  return { signature, slice: slice?.() ?? "", ...(onReplayed ? { onReplayed } : {}) };
}
