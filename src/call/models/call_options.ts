import type { generateText, LanguageModelMiddleware } from "ai";
import type { Clock } from "../../base/values/mod.ts";
import type { CallClock } from "./call_clock.ts";
import type { CallUsage, Retry, RetryPolicy } from "./middleware/mod.ts";
import type { PriceTable } from "./prices.ts";
import type { SignatureName } from "./signature.ts";

/** Default of `tryTimeoutMs`. */
export const DEFAULT_TRY_TIMEOUT_MS = 60_000;

/** A model call before it is made. */
export interface CallShape {
  readonly signature: SignatureName;
  /** The parts of the graph that can influence the call, in addition to the request. */
  readonly slice: string;
  /** Middleware calls it when it answers from a recording. The time of such an answer is not measured. */
  readonly onReplayed?: () => void;
}

/** The AI SDK's OpenTelemetry spans of model calls; `run()` makes it from its option `telemetry`. */
export interface ModelTelemetry {
  /** The AI SDK's telemetry settings for a call with this signature. */
  readonly settings: (
    signature: SignatureName,
  ) => NonNullable<Parameters<typeof generateText>[0]["experimental_telemetry"]>;
}

/** How requests to models are made: time limit, retries, middleware and prices. */
export interface RequestOptions {
  /** Time limit of each attempt of a model call, in milliseconds. Default: 60,000. */
  readonly tryTimeoutMs?: number;
  readonly retry?: RetryPolicy;
  /** AI SDK middleware around all attempts of a model call, outermost first: recording and replaying. */
  readonly around?: (call: CallShape) => readonly LanguageModelMiddleware[];
  /** AI SDK middleware around each attempt: rate limits that runs share. */
  readonly within?: readonly LanguageModelMiddleware[];
  /**
   * Whether the agent's replies are streamed, so that its latency is the time to the first token that the caller hears
   * instead of to the whole reply. Default: only with a listener `onToken`.
   */
  readonly stream?: boolean;
  /** Prices of models, in addition to the built-in list. */
  readonly prices?: PriceTable;
  /** The AI SDK's OpenTelemetry spans. `run()` sets it from its option `telemetry`. Default: none. */
  readonly telemetry?: ModelTelemetry;
}

/** {@link RequestOptions} with the settings of one conversation. */
export interface CallSettings extends RequestOptions {
  /** Called before each retry of a model call. */
  readonly onRetry?: (retry: Retry) => void;
  /** Paused while a request waits in the middleware `within`. */
  readonly clock?: CallClock;
  /** Used for time limits and retry delays. Default: the machine's clock. */
  readonly timers?: Clock;
}

/** The options of one model call. */
export interface CallOptions extends CallSettings {
  readonly signal?: AbortSignal;
  /** Returns the parts of the graph that can influence the call; called only for middleware `around` it. */
  readonly slice?: () => string;
  /** Called with the usage of every request that reaches the model. */
  readonly onUsage?: (usage: CallUsage) => void;
  /** Called when middleware `around` the call answers from a recording. */
  readonly onReplayed?: () => void;
  /** Called when a request is sent, because no middleware `around` the call had the answer. */
  readonly onRequest?: () => void;
  /** Streams the reply's text; a replayed reply arrives in one piece. */
  readonly onToken?: (text: string) => void;
}
