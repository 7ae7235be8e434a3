import type { SystemVariables } from "../../../platforms/mod.ts";
import type { Gate } from "../../base/statistics/mod.ts";
import type { JsonObject } from "../../base/values/mod.ts";
import type { AudioOptions } from "../../call/audio/mod.ts";
import type { Caller } from "../../call/callers/mod.ts";
import type { Listeners, SharedOptions } from "../../call/engine/mod.ts";
import type { FlowJudgement } from "../../call/judges/mod.ts";
import type { Models, Recordings, RequestLimits, RequestOptions, Retry } from "../../call/models/mod.ts";
import type { TelemetryOptions } from "../../call/telemetry/mod.ts";
import type { CallLimits } from "../../call/turn/mod.ts";
import { placeholderContents } from "../../document/expressions/mod.ts";
import type { AgentGraph, VariableExtraction } from "../../document/graph/mod.ts";
import type { CallerChoice, PolicySource, RunMetric, Scenario, ScenarioSource } from "../../document/scenario/mod.ts";
import type { AUDIT_MODES } from "../../document/settings/mod.ts";
import type { Message } from "../../document/transcript/mod.ts";
import type { ResultRecord, RunPart, Store } from "../store/mod.ts";

/** Options of `run()`. */
export interface RunOptions extends SharedOptions {
  /** Default: the built-in offline model in every role. */
  readonly models?: RunModels;
  /** Only for a run with a connection of `callweave/connect` in place of a graph. */
  readonly connection?: ConnectionOptions;
  readonly limits?: RunLimits;
  readonly requests?: RunRequestOptions;
  readonly repeat?: RepeatOptions;
  readonly judging?: JudgingOptions;
  /**
   * Where results are stored: an open store (it is not closed), a path or URL for `openStore()`, or `false` to store
   * nothing. Default: the default store of `openStore()`.
   */
  readonly store?: Store | string | false;
  readonly share?: SharingOptions;
  readonly listeners?: RunListeners;
  /**
   * Sends each message of the agent through text-to-speech and transcription, and judges what a caller would hear
   * besides the written text; with `direction: "both"` also the caller's words, before the agent hears them. The
   * results have `audio`. A call's status is that of its written text. Default: none.
   */
  readonly audio?: AudioOptions;
  /** Recordings of model answers to replay or extend. They are saved when the run ends. Default: none. */
  readonly recordings?: Recordings;
  /** Settings for the variables that platforms fill in, such as the phone numbers. */
  readonly systemVariables?: SystemVariables;
  /** The agent's name in results. Default: the flow's. */
  readonly name?: string;
  /**
   * Callers with traits: the name of a set (`"difficult"`) or of a caller (`"hard-of-hearing"`), callers of one's own by
   * name, or a list of these. Each scenario runs with each of them, and the report has a table of scenarios and callers.
   * Default: the scenarios' own callers.
   */
  readonly callers?: CallerChoice;
  /**
   * Creates the caller of a scenario, or returns `undefined` to use the scenario's lines and persona. Each call of its
   * `next` is limited by `limits.turnTimeoutMs`.
   */
  readonly createCaller?: (scenario: Scenario, slot: TrialAttempt) => Caller | undefined;
  /**
   * Records OpenTelemetry spans: a trace per call, with its turns and the AI SDK's spans of its model calls. The
   * OpenTelemetry packages have to be installed. Default: none, and nothing is loaded.
   */
  readonly telemetry?: boolean | TelemetryOptions;
}

/** Timeouts, retries and rate limits of a run's model requests. */
export interface RunRequestOptions extends RequestOptions, RequestLimits {}

/** How scenarios run with an agent where it runs. */
export interface ConnectionOptions {
  /** Graph of the agent. It names nodes, tools and variables, so that names in scenarios are checked. Default: none. */
  readonly graph?: AgentGraph;
  /**
   * What happens to scenarios that need what the connection lacks. `refuse`: the run does not start. `report`: it runs,
   * and results list these expectations as not checked. Default: `refuse`.
   */
  readonly unchecked?: "refuse" | "report";
  /** Whether scenarios with mocks run where the agent's tools cannot be mocked. The tools then run. Default: false. */
  readonly allowRealTools?: boolean;
}

/** Who plays the agent, the callers and the judge. A run with a graph needs an agent; a connection is one. */
export interface RunModels extends Partial<Models> {
  /** Whether a scenario's `llm_model` replaces the agent's model in its call. Default: false. */
  readonly fromScenarios?: boolean;
}

/** Limits of a run and of each of its calls. */
export interface RunLimits extends CallLimits {
  /**
   * Number of calls that run at the same time. `auto` starts with 16, grows to at most 256 while models' answers do not
   * slow down, and halves when a server refuses requests. Default: `auto`; with a deployed agent what its platform
   * allows, at most 16.
   */
  readonly concurrency?: number | "auto";
  /**
   * Stops the run at the first call that fails or ends in an error; the remaining calls end as `cancelled`. Default:
   * false.
   */
  readonly failFast?: boolean;
  /**
   * Stops the run when its calls have cost this many US dollars: models by their prices, and what the platform of a
   * deployed agent charges. Calls that are running end as `cancelled`. Default: no limit.
   */
  readonly maxCostUsd?: number;
}

/** The limits of a run that are those of each call. */
export function limitsOfCalls({
  concurrency: _,
  failFast: __,
  maxCostUsd: ___,
  ...limits
}: RunLimits = {}): CallLimits {
  return limits;
}

/** How often the scenarios run, and when they pass. */
export interface RepeatOptions {
  /** Number of calls per scenario, unless the scenario sets its own. Default: 1. */
  readonly times?: number;
  /** When the repeated calls of a scenario pass, unless the scenario sets its own gate. Default: `{ passAll: true }`. */
  readonly gate?: Gate;
  /**
   * Whether trials that have not started are omitted once the gate of their scenario is decided. Default: true for
   * scenarios with a gate of their own or of the run, false for those with the default gate.
   */
  readonly sequential?: boolean;
  /**
   * Repetitions of each trial to find out why verdicts differ: `agent` calls with the same words of the
   * caller, each judged `judge` times. Their results are in the trial's `variance` and never count as trials. The reports
   * say per scenario whether judge, agent or callers are flaky. Default: nothing.
   */
  readonly variance?: VarianceOptions;
}

/** What every call is judged by, besides its scenario. */
export interface JudgingOptions {
  /** Criteria that judge every call, in addition to its scenario's own. */
  readonly metrics?: readonly (
    | string
    | { readonly criterion: string; readonly threshold?: number; readonly panel?: number }
  )[];
  /**
   * Whether the judge's model also judges the path of every call: whether each transition, and each turn without one, was
   * right given what was said. It adds one verdict, with `steps`, for one more model call. `{ threshold, panel }` sets the
   * score that passes and the number of judges. Default: false.
   */
  readonly flow?: boolean | FlowJudgement;
  /** Policies for every call. A call that breaks a policy fails. */
  readonly policies?: readonly PolicySource[];
  /** Minimum score of criteria and checks that set none. Above 0 and at most 1. Default: 0.7. */
  readonly threshold?: number;
  /**
   * How callers that a model plays are audited. `facts`: e-mail addresses, codes and long numbers that the caller
   * invented. `judge`: also other invented facts, and a caller that hangs up before its goal is decided, by one call of
   * the judge's model. A call with a finding is `invalid`: it is repeated, at most twice. Default: `facts`.
   */
  readonly audit?: AuditMode;
}

/** How simulated callers are audited; `judging.audit` of {@link RunOptions} describes each mode. */
export type AuditMode = (typeof AUDIT_MODES)[number];

/** How a run is continued, split over processes, or part of something larger. */
export interface SharingOptions {
  /**
   * Id or unique prefix of a stored run to resume: trials that have passed or failed in it are skipped. Graph,
   * scenarios and options that change the meaning of results must be those of that run.
   */
  readonly resume?: string;
  /**
   * The part of the run for this process, to split a run over several machines. Scenarios are split deterministically;
   * all trials of a scenario are in one shard. Default: the whole run.
   */
  readonly shard?: RunPart;
  /**
   * Name under which several processes share one run in one database: the first one creates it, the others join it.
   * Stored trials are skipped. Default: a separate run.
   */
  readonly joinRun?: string;
  /**
   * Runs the calls in workers that take them from a queue, see `openQueue()`. The workers write to the same database.
   * Functions, models as objects and rate limits are options of the workers. Default: calls run in this process.
   */
  readonly queue?: CallQueue;
  /**
   * The scenarios from which those of this run were selected. The run says that it was a part of them, so that no gate
   * takes it for the whole. Default: the run's scenarios are all.
   */
  readonly selectedFrom?: readonly ScenarioSource[];
  /**
   * Version of the functions that a run uses: checks, tools, `createCaller`. A commit, or a hash of the files; `callweave
   * run` computes one. Runs that use functions can only be resumed under the same version. Default: not known.
   */
  readonly codeVersion?: string;
  /**
   * Where the run comes from, to find it again: `callweave run` sets the commit, the branch, the environment and the
   * selected tags. Stored with the run; no part of its plan. Must not contain keys or tokens.
   */
  readonly labels?: { readonly [name: string]: string | readonly string[] };
}

/** How often a trial is repeated to find out why verdicts differ. */
export interface VarianceOptions {
  /** Number of calls with the same words of the caller, the trial's own included. Default: 1. */
  readonly agent?: number;
  /** Times that the judge judges each of these calls. Default: 1. */
  readonly judge?: number;
}

/**
 * Callbacks of a run. Each gets one event; those of a call have its scenario, trial and attempt. If one throws, the run
 * completes first and then throws a `CallbackError`.
 */
export interface RunListeners extends Listeners<TrialAttempt> {
  /**
   * Called after each result is finished and stored. If the database does not accept it in time, it is called after the
   * result is written to the spool file or is lost; `place` says which.
   */
  readonly onResult?: (event: ResultEvent) => void;
  readonly onProgress?: (event: RunEvent) => void;
}

/** A finished result, and where it is. */
export interface ResultEvent {
  readonly result: ResultRecord;
  readonly place: ResultPlace;
}

/** Events of `onProgress`. */
export type RunEvent =
  /** The plan of this process; `calls` excludes those that a resumed run already has. Gates can make it fewer. */
  | {
      readonly kind: "run-start";
      readonly id: string;
      readonly scenarios: readonly { readonly name: string; readonly calls: number }[];
    }
  | ({ readonly kind: "call-start" } & TrialAttempt)
  /** The call is at a node: at the first one, or after a transition. */
  | ({ readonly kind: "node"; readonly node: string } & TrialAttempt)
  | ({ readonly kind: "turn-end"; readonly messages: readonly Message[] } & TrialAttempt)
  | ({ readonly kind: "retry"; readonly retry: Retry } & TrialAttempt)
  | ({ readonly kind: "call-end"; readonly result: ResultRecord } & TrialAttempt);

/**
 * Where a result is when `onResult` is called: in the database (`stored`), in the spool file (`spooled`), only in the
 * report because both failed (`lost`), or only in the report because the run has no store (`unstored`).
 */
export type ResultPlace = "stored" | "spooled" | "lost" | "unstored";

/** Default of `judging.audit`. */
export const DEFAULT_AUDIT: AuditMode = "facts";
/** Default of `limits.concurrency`. */
export const DEFAULT_CONCURRENCY = "auto";
/** Default of `limits.maxTurns`. */
export const DEFAULT_MAX_TURNS = 20;
/** Default of `limits.turnTimeoutMs`. */
export const DEFAULT_TURN_TIMEOUT_MS = 120_000;

/** Which call of a run this is: its scenario, trial and attempt. */
export interface TrialAttempt {
  readonly scenario: string;
  /** Number of the repetition, from 1. */
  readonly trial: number;
  /** Number of the attempt, from 1: a trial is repeated if its simulated caller was unreliable. */
  readonly attempt: number;
}

/** Settings of the flow judge; `undefined` turns it off. */
export function flowJudgement({
  judging: { flow = false, threshold } = {},
}: Pick<RunOptions, "judging">): FlowJudgement | undefined {
  if (flow === false) return undefined;
  return { ...(threshold === undefined ? {} : { threshold }), ...(flow === true ? {} : flow) };
}

/** Returns the name of every `{{name}}` in the graph's texts, and the names in its equations. */
export function namesInGraph(graph: AgentGraph): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value === "string") {
      for (const name of placeholderContents(value)) names.add(name);
    } else if (typeof value === "object" && value !== null) Object.values(value).forEach(visit);
  };
  visit(graph);
  for (const node of Object.values(graph.nodes)) {
    const backs = node.global_node_setting?.go_back_conditions ?? [];
    for (const { condition } of [...node.transitions, ...backs])
      for (const { left } of condition.equations ?? []) names.add(left);
  }
  return names;
}

/**
 * Joins a scenario's criteria with the run's. A criterion in both lists is judged once, with the scenario's threshold.
 */
export function joinMetrics(own: readonly RunMetric[], global: readonly RunMetric[]): readonly RunMetric[] {
  const named = new Set(own.map(({ criterion }) => criterion));
  return [...own, ...global.filter(({ criterion }) => !named.has(criterion))];
}

/** Runs the calls of a run in other processes: workers take them from a queue. `openQueue()` opens one. */
export interface CallQueue {
  /** Starts putting the calls of a run into the queue. */
  readonly feed: (run: QueuedRun) => Promise<CallFeed>;
}

/** A stored run whose calls go into a queue. */
export interface QueuedRun {
  readonly runId: string;
  /** Options of the run that change what a call does. */
  readonly settings: JsonObject;
  /** Types of the variables that a flow declares in code. The stored graph has only those of extract nodes. */
  readonly variables?: readonly VariableExtraction[];
  /** Aborts when the run stops: waiting calls are removed, and running ones are cancelled. */
  readonly signal: AbortSignal;
}

/** The place of a call in its run, with its scenario and the code that it needs. */
export interface QueuedCall {
  readonly slot: TrialAttempt;
  readonly scenario: Scenario;
  /** Code that a worker needs to run the call: `tool "lookup"`, `check "is polite"`. */
  readonly needs: readonly string[];
  /** Whether an earlier process of the run has held the call and stored it: the worker only judges it. */
  readonly isHeld?: boolean;
}

/** How a queued call ended: a worker stored its result, it was cancelled, or `drop` removed it. */
export type QueuedEnd =
  | { readonly kind: "stored"; readonly resultId: string }
  | { readonly kind: "cancelled" }
  | { readonly kind: "dropped" };

/** Puts the calls of one run into a queue and follows them. */
export interface CallFeed {
  /**
   * Queues a call and waits until it is over.
   *
   * @param onStart Called when a worker takes it.
   * @throws {ScenarioError} `queue-failed`, `queue-unavailable`.
   */
  readonly runCall: (call: QueuedCall, onStart: () => void) => Promise<QueuedEnd>;
  /** Removes the waiting calls of a scenario. */
  readonly drop: (scenario: string) => void;
  /** Ends the feed: removes the calls that are left, and waits for removals, with a time limit. */
  readonly close: () => Promise<void>;
}
