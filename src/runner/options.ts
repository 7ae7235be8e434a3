import type { Caller } from "../callers/mod.ts";
import type { TurnMode } from "../engine/mod.ts";
import type { Message, ToolCall, ToolExecute } from "../graph/mod.ts";
import type { CallSettings, Cassette, ModelLimits, Models, Retry } from "../models/mod.ts";
import type { Metric, Scenario } from "../scenario/mod.ts";
import type { ResultRecord, Store } from "../store/mod.ts";
import type { Budget, LiveTools } from "../turn/mod.ts";
import type { CallPlace } from "./platform_values.ts";

/** How scenarios are run. */
export interface RunOptions {
  /** Default: the embedded offline model in every role. */
  readonly models?: Models;
  /**
   * Where results are kept: an open store, which is left open; an address as `openStore` takes it; `false`: nowhere.
   * Default: `openStore()`'s.
   */
  readonly store?: Store | string | false;
  /** Calls held at a time. Default: 8. */
  readonly concurrency?: number;
  /** Criteria that every call is judged by, beside its scenario's own. */
  readonly metrics?: readonly (string | { readonly criterion: string; readonly threshold?: number })[];
  /** Above 0 and at most 1: takes the place of 0.7, the default threshold, also where a scenario has written that down. */
  readonly threshold?: number;
  /** What answers tool calls that no mock answers, by tool name; goes before the `execute` of a compiled flow's tools. */
  readonly tools?: { readonly [name: string]: ToolExecute };
  /** Addresses of tools that may be called where neither a mock nor a function answers. Default: none. */
  readonly liveTools?: LiveTools;
  /** Of one call of a tool, in milliseconds. Default: 30,000. */
  readonly toolTimeoutMs?: number;
  /** Stop at the first call that fails or ends in an error; the others end as `cancelled`. Default: false. */
  readonly failFast?: boolean;
  /** Ends the run: calls that are under way end as `cancelled`, what was finished stays stored. */
  readonly signal?: AbortSignal;
  /** Caller turns after which a call ends with `max_turns`, where the scenario does not say. Default: 20. */
  readonly maxTurns?: number;
  /** How long the agent may take for one turn, in milliseconds. Default: 120,000. */
  readonly timeoutMs?: number;
  /** Time limit, retries and middleware of every single model call. */
  readonly calls?: CallSettings;
  /** How hard each model may be used, by all calls together. Default: as hard as the calls do. */
  readonly limits?: ModelLimits;
  /** Recorded answers of models, to replay or to add to; they are put away when the run is over. Default: none. */
  readonly recordings?: Cassette;
  /** How a turn asks its models. Default: `split`. */
  readonly turn?: TurnMode;
  /** What each call may use up. */
  readonly budget?: Budget;
  /**
   * Clock of the transcripts and of the platforms' time variables. Default: the machine's. A call that is replayed has
   * the clock of its recording.
   */
  readonly now?: () => Date;
  /** Variables of every call; a scenario's go before them. */
  readonly variables?: { readonly [name: string]: unknown };
  /** What the platforms' own variables are made from. */
  readonly place?: CallPlace;
  /** The agent's name in results. Default: the flow's. */
  readonly name?: string;
  /** Whether a scenario's `llm_model` plays the agent in its call. Default: false. */
  readonly scenarioModels?: boolean;
  /**
   * The caller of a scenario, where it is neither its lines nor a model with its persona. Its `next` has `timeoutMs` for
   * each answer.
   */
  readonly createCaller?: (scenario: Scenario) => Caller | undefined;
  /**
   * Called for each result as soon as it is finished and stored; of one that the database does not take in time, when it
   * is in the spool file, or could not be kept at all: `place` says which.
   */
  readonly onResult?: (result: ResultRecord, place: ResultPlace) => void;
  readonly onProgress?: (event: RunEvent) => void;
  /** The words of the agent's replies as they come, with the name of the scenario, as `conversation` tells them. */
  readonly onToken?: (text: string, scenario: string) => void;
  /** Every line that joins a call's transcript, as soon as it does. */
  readonly onMessage?: (message: Message, scenario: string) => void;
  /** Every tool call that was answered. */
  readonly onTool?: (call: ToolCall, scenario: string) => void;
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

/** Calls held at a time unless a run says otherwise. */
export const DEFAULT_CONCURRENCY = 8;
/** Caller turns of a call unless its scenario or the run says otherwise. */
export const DEFAULT_MAX_TURNS = 20;
/** Milliseconds that the agent has for a turn unless the run says otherwise. */
export const DEFAULT_TURN_TIMEOUT_MS = 120_000;

/** A scenario's criteria and then the run's; a criterion that is in both is judged once, by the scenario's threshold. */
export function joinMetrics(own: readonly Metric[], global: readonly Metric[]): readonly Metric[] {
  const named = new Set(own.map(({ criterion }) => criterion));
  return [...own, ...global.filter(({ criterion }) => !named.has(criterion))];
}
