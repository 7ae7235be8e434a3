import type { Caller } from "../callers/mod.ts";
import type { Clocks, SharedOptions } from "../engine/mod.ts";
import type { Models, Recordings, RequestLimits, RequestOptions, Retry } from "../models/mod.ts";
import type { Metric, Scenario } from "../scenario/mod.ts";
import type { ResultRecord, Store } from "../store/mod.ts";
import type { Message, ToolCall } from "../transcript/mod.ts";
import type { CallPlace } from "./platform_values.ts";

/** How requests to models are made in a run. */
export interface RunRequestOptions extends RequestOptions, RequestLimits {}

/** Called during a run, as things happen. One that fails does not break the run, which throws its error at the end. */
export interface RunListeners {
  /**
   * Called for each result as soon as it is finished and stored; of one that the database does not take in time, when it
   * is in the spool file, or could not be kept at all: `place` says which.
   */
  readonly onResult?: (result: ResultRecord, place: ResultPlace) => void;
  readonly onProgress?: (event: RunEvent) => void;
  /** Streams the agent's replies, as the `onToken` of a conversation does. */
  readonly onToken?: (text: string, scenario: string) => void;
  /** Every line that joins a call's transcript. */
  readonly onMessage?: (message: Message, scenario: string) => void;
  /** Every tool call that was answered. */
  readonly onTool?: (call: ToolCall, scenario: string) => void;
  /** Called before each retry of a model call; the judge's too. */
  readonly onRetry?: (retry: Retry, scenario: string) => void;
}

/** Options of `run()`. */
export interface RunOptions extends SharedOptions {
  /** Default: the embedded offline model in every role. */
  readonly models?: Models;
  /** Whether a scenario's `llm_model` plays the agent in its call. Default: false. */
  readonly scenarioModels?: boolean;
  readonly requests?: RunRequestOptions;
  /**
   * Where results are kept: an open store, which is left open; an address as `openStore` takes it; `false`: nowhere.
   * Default: `openStore()`'s.
   */
  readonly store?: Store | string | false;
  /** Calls that run at the same time. Default: 8. */
  readonly concurrency?: number;
  /** Criteria that every call is judged by, beside its scenario's own. */
  readonly metrics?: readonly (string | { readonly criterion: string; readonly threshold?: number })[];
  /** Above 0 and at most 1: takes the place of 0.7, the default threshold, also where a scenario has written that down. */
  readonly threshold?: number;
  /** Stop at the first call that fails or ends in an error; the others end as `cancelled`. Default: false. */
  readonly failFast?: boolean;
  /** Ends the run: calls that are under way end as `cancelled`, what was finished stays stored. */
  readonly signal?: AbortSignal;
  /** Recorded answers of models, to replay or to add to; they are put away when the run is over. Default: none. */
  readonly recordings?: Recordings;
  /** A call that is replayed has the time of day of its recording. */
  readonly clock?: Clocks;
  /** Variables of every call; a scenario's own override them. */
  readonly variables?: { readonly [name: string]: unknown };
  /** What the platforms' own variables are made from. */
  readonly place?: CallPlace;
  /** The agent's name in results. Default: the flow's. */
  readonly name?: string;
  /**
   * Creates the caller of a scenario; `undefined`: the scenario's lines or persona. `limits.turnTimeoutMs` limits each
   * call of its `next`.
   */
  readonly createCaller?: (scenario: Scenario) => Caller | undefined;
  readonly listeners?: RunListeners;
}

/**
 * Where a result is when `onResult` is called: in the database, in the spool file, nowhere but in the report because
 * both failed, or nowhere else because the run has no store.
 */
export type ResultPlace = "stored" | "spooled" | "lost" | "unstored";

/** What happens in a run. */
export type RunEvent =
  | { readonly kind: "run-start"; readonly id: string; readonly scenarios: number }
  | { readonly kind: "call-start"; readonly scenario: string }
  | { readonly kind: "turn-end"; readonly scenario: string; readonly messages: readonly Message[] }
  | { readonly kind: "retry"; readonly scenario: string; readonly retry: Retry }
  | { readonly kind: "call-end"; readonly scenario: string; readonly result: ResultRecord };

/** Default of `concurrency`. */
export const DEFAULT_CONCURRENCY = 8;
/** Default of `limits.maxTurns`. */
export const DEFAULT_MAX_TURNS = 20;
/** Default of `limits.turnTimeoutMs`. */
export const DEFAULT_TURN_TIMEOUT_MS = 120_000;

/** A scenario's criteria and then the run's; a criterion that is in both is judged once, by the scenario's threshold. */
export function joinMetrics(own: readonly Metric[], global: readonly Metric[]): readonly Metric[] {
  const named = new Set(own.map(({ criterion }) => criterion));
  return [...own, ...global.filter(({ criterion }) => !named.has(criterion))];
}
