import type { LanguageModelMiddleware } from "ai";
import type { CallClock } from "./call_clock.ts";
import type { CallUsage, Retry, RetryPolicy } from "./middleware/mod.ts";
import type { PriceTable } from "./prices.ts";
import type { SignatureName } from "./signature.ts";

/** How long one try of a model call may take unless the caller says otherwise. */
export const DEFAULT_TIMEOUT_MS = 60_000;

/** What is known of a call before it is made. */
export interface CallShape {
  readonly signature: SignatureName;
  /** What of the graph can influence the call beside the request itself. */
  readonly slice: string;
}

/** What holds for one call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Of one try, in milliseconds. Default: 60,000. */
  readonly timeoutMs?: number;
  readonly retry?: RetryPolicy;
  /** Called before each further try of a call. */
  readonly onRetry?: (retry: Retry) => void;
  /** Middleware around all tries, outermost first: recording and replaying. */
  readonly around?: (call: CallShape) => readonly LanguageModelMiddleware[];
  /** What of the graph can influence the call; asked for only where somebody is `around` it. */
  readonly slice?: () => string;
  /** Middleware around each try: limits that runs share. */
  readonly within?: readonly LanguageModelMiddleware[];
  /** Stands still while a request is held up by what is `within`. */
  readonly clock?: CallClock;
  /** Prices beside the ones that are known. */
  readonly prices?: PriceTable;
  /** Told of every request that reaches the model. */
  readonly onUsage?: (usage: CallUsage) => void;
  /** Told once the call has to be made, as nothing `around` it has its answer. */
  readonly onRequest?: () => void;
  /** Told the words of a reply as they come; those of one that comes from a recording in one piece. */
  readonly onToken?: (text: string) => void;
}

/** What all model calls of a run have in common. */
export type CallSettings = Pick<
  CallOptions,
  "timeoutMs" | "retry" | "onRetry" | "around" | "within" | "clock" | "prices"
>;
