import type { LanguageModelMiddleware } from "ai";
import { type Clock, defined, type JsonObject } from "../../../base/values/mod.ts";
import type { Hearing } from "../../../call/audio/mod.ts";
import type { Caller } from "../../../call/callers/mod.ts";
import type { AgentConnection } from "../../../call/connection/mod.ts";
import type { AuditedCall, JudgedReplies, Pattern, PatternsBySource } from "../../../call/judges/mod.ts";
import {
  type CallClock,
  type CallOptions,
  type CallSettings,
  type CallUsage,
  checkedCallClock,
  createCallClock,
  type Model,
  type ModelLoader,
  type RequestOptions,
  type Role,
} from "../../../call/models/mod.ts";
import type { RecordedTools } from "../../../call/turn/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";
import type { JudgedReplyRule, Policy, RunMetric, Scenario } from "../../../document/scenario/mod.ts";
import type { CheckResult, Message, Verdict } from "../../../document/transcript/mod.ts";
import type { NewResult, RunKind } from "../../store/mod.ts";
import type { RunOptions, TrialAttempt } from "../options.ts";
import type { CallerSetup } from "./caller.ts";
import type { EngineCall, RunSpans, StartedCall } from "./run_call.ts";

/** State shared by all calls of a run. */
export interface RunSetup extends RunContext {
  readonly graph: AgentGraph;
  /** Names of the variables that the graph uses. */
  readonly names: ReadonlySet<string>;
  /** Policies for every call. */
  readonly policies: readonly Policy[];
  readonly caller: Model;
  readonly judge: Model;
  /** Options of the run. Listeners never throw, and requests obey the run's limits. */
  readonly options: RunOptions;
  readonly now: () => Date;
  readonly signal: AbortSignal;
  /** Called after each call with its model usage and the error that interrupted it, if any. */
  readonly onCall: (usage: readonly CallUsage[], error: unknown, chargedUsd?: number | null) => void;
  /** Speech, line and transcription of the run; absent without audio. */
  readonly audio?: Hearing | undefined;
  /** The run's OpenTelemetry spans; absent when telemetry is off. */
  readonly spans?: RunSpans;
  /** Judges the replies of this call together with those of others; absent: on their own. */
  readonly sharing?: ReplySharing;
  /** Keeps a finished call that waits for its verdicts: if the run is killed meanwhile, it is judged when it is resumed. */
  readonly keepUnjudged?: (call: NewResult) => void;
}

/**
 * Middleware for the requests about a call's replies, which waits until other calls can join the request. `onWait` is
 * called if it does.
 */
export type ReplySharing = (
  options: CallOptions & { readonly model: Model },
  onWait?: () => void,
) => LanguageModelMiddleware;

/** The parts of a run besides its options. */
export interface RunContext {
  /** The source of calls that are not simulated; absent in a run of scenarios. */
  readonly variant?: RunVariant | undefined;
  /** Clock of requests, checks and callbacks. Absent: the machine's. */
  readonly timers?: Clock | undefined;
  /** Whether the calls repeat a call with its caller's words. */
  readonly isAgain?: boolean | undefined;
  /** The agent where it runs. Absent: the engine plays the graph. */
  readonly connected?: ConnectedRun | undefined;
  /** Loads models. Absent: each reference once in a run. */
  readonly loadModel?: ModelLoader | undefined;
}

/** The connection of a run, and how the run treats what it lacks. */
export interface ConnectedRun {
  readonly connection: AgentConnection;
  /** Graph of the agent: that of the user, or the platform's; absent: the run has one without content. */
  readonly graph: AgentGraph | undefined;
  /** Whether scenarios that need what the connection lacks are refused, or run without these expectations. */
  readonly unchecked: "refuse" | "report";
  /** Whether scenarios with mocks may run where the agent's tools run. */
  readonly allowRealTools: boolean;
}

/** A validated scenario with its models and metrics. */
export interface ResolvedScenario {
  readonly scenario: Scenario;
  readonly agent: Model;
  /** Criteria of the scenario and of the run. */
  readonly metrics: readonly RunMetric[];
  readonly patterns: readonly Pattern[];
  /** Patterns of the rules for each reply, by their sources. */
  readonly replyPatterns: PatternsBySource;
}

/** Starts the clock of a call or of its judge. */
function startClock({ options: { clock }, timers }: RunSetup): CallClock {
  return clock?.startCall ? checkedCallClock(clock.startCall()) : createCallClock(timers);
}

/** Returns the name of a call in recordings. Another attempt must not replay the first one. */
export function recordedName({ scenario, trial, attempt }: TrialAttempt) {
  return { scenario: attempt === 1 ? scenario : `${scenario} (attempt ${attempt})`, trial };
}

/**
 * Builds the request options of one role in one call. Recordings count requests per role and call. They wrap requests
 * inside the user's own middleware, so that they see the settings it adds.
 */
export function roleRequests(
  role: Role,
  slot: TrialAttempt,
  { options: { requests: given = {}, recordings }, spans }: RunSetup,
): RequestOptions {
  const requests = spans ? { ...given, telemetry: spans.telemetry.models } : given;
  if (!recordings) return requests;
  const { scenario, trial } = recordedName(slot);
  const recorded = recordings.around(role, trial, { scenario });
  return { ...requests, around: (call) => [...(requests.around?.(call) ?? []), ...recorded(call)] };
}

/** The settings of the requests of a caller or a judge in one call. */
export function callSettings(
  role: Exclude<Role, "agent">,
  slot: TrialAttempt,
  setup: RunSetup,
): CallSettings & { readonly clock: CallClock } {
  return { ...roleRequests(role, slot, setup), clock: startClock(setup), ...defined({ timers: setup.timers }) };
}

/** A run whose calls are not simulated from its scenarios alone. */
export interface RunVariant {
  readonly kind: RunKind;
  /** Stored with the options of the run. Must not contain secrets. */
  readonly options: JsonObject;
  /** Whether the calls are judged by their scenarios. */
  readonly isJudged: boolean;
  /** Whether names in the scenarios must exist in the graph. Default: true. */
  readonly namesAreChecked?: boolean;
  callOf(slot: TrialAttempt): ReplayedCall | PastCall;
  /** Judges the replies of several calls in one request; `undefined`: those of this call alone. */
  readonly sharedReplies?: SharedReplies;
}

/** The verdicts on the replies of a call, whose requests may be about replies of other calls, too. */
export type SharedReplies = (
  rules: readonly JudgedReplyRule[],
  transcript: readonly Message[],
  how: {
    /** Number of replies of a call to which the rules apply. */
    readonly count: (transcript: readonly Message[]) => number;
    readonly judge: (calls: Pick<JudgedReplies, "transcripts">) => Promise<readonly (readonly Verdict[])[]>;
  },
) => Promise<readonly Verdict[]> | undefined;

/** A call with a recorded caller and recorded tools. */
export interface ReplayedCall {
  /** Creates the caller, in place of the scenario's. */
  readonly caller: (setup: CallerSetup) => Caller;
  /** Start variables, which override those of the scenario. */
  readonly variables: JsonObject;
  readonly tools: RecordedTools;
  readonly maxTurns: number;
  /** Returns the input of the caller's audit; `undefined` if no model spoke. */
  audited(call: EngineCall): AuditedCall | undefined;
  /** Adds to the result of a completed call. */
  complete(result: NewResult): NewResult;
}

/** A past call, which is only judged. */
export interface PastCall {
  readonly past: StartedCall;
  /** Whether the call has enough data for a check; otherwise the check is dropped. */
  isKnown(check: CheckResult): boolean;
  /** Adds to its result. */
  complete(result: NewResult): NewResult;
}
