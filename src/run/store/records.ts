import type { JsonObject } from "../../base/values/mod.ts";
import type { AgentGraph } from "../../document/graph/mod.ts";
import type { CallerTraits, CastOf } from "../../document/scenario/mod.ts";
import type {
  Approximation,
  AudioResult,
  Call,
  CallerAudit,
  CheckResult,
  ConnectedCallFacts,
  NotChecked,
  ReplayRecord,
  ResultStatus,
  Usage,
  VarianceSample,
  Verdict,
} from "../../document/transcript/mod.ts";

/** Origins of a run's calls: simulated callers, imported real calls, or replays of these. */
export const RUN_KINDS = ["simulated", "imported", "replay"] as const;

/** Where the calls of a run come from: `simulated`, `imported` or `replay`. */
export type RunKind = (typeof RUN_KINDS)[number];

/** Names of a run's models, as on the command line or in the AI SDK: `openai/gpt-5`, `offline`. */
export interface ModelNames {
  readonly agent: string;
  readonly caller: string;
  readonly judge: string;
}

/** Fields of a run that are known when it starts. */
export interface NewRun {
  readonly kind: RunKind;
  /** ISO 8601. Default: now. */
  readonly startedAt?: string;
  /** The agent's name: the flow's name, or the file's. */
  readonly agent: string;
  /** Stored once for all runs with the same fingerprint. */
  readonly graph: AgentGraph;
  readonly models: ModelNames;
  /** Settings of the run such as trials, concurrency and filters. Must not contain keys or tokens. */
  readonly options: JsonObject;
  /**
   * The plan of a run: its scenarios, repetitions and everything else that must be equal if several processes
   * add to one run, or if a run is resumed. Must not contain keys or tokens.
   */
  readonly plan?: JsonObject;
  /**
   * Name under which several processes share one run: the first one creates it, the others get the same run. Their
   * graphs and plans must be equal.
   */
  readonly joinRun?: string;
  /** Id or unique prefix of a run to resume instead of starting a new one. Its graph and plan must be equal. */
  readonly resume?: string;
  /** The part of a shared run that this process runs. The run is finished when all its parts are. */
  readonly part?: RunPart;
}

/** One of the parts of a run that is split over several processes or machines. */
export interface RunPart {
  /** From 1. */
  readonly index: number;
  readonly total: number;
}

/** A stored run without its results. */
export interface RunRecord {
  /** Unique across processes; sorts by creation time. */
  readonly id: string;
  readonly kind: RunKind;
  /** ISO 8601. */
  readonly startedAt: string;
  /** ISO 8601; `null` while running, or when its process crashed. */
  readonly finishedAt: string | null;
  readonly agent: string;
  readonly graphFingerprint: string;
  readonly models: ModelNames;
  readonly options: JsonObject;
  /** The plan of the run; absent when it is not known. */
  readonly plan?: JsonObject;
  /** Name under which several processes share the run; absent when there is none. */
  readonly joinRun?: string;
  /** Number of results per status. */
  readonly counts: { readonly [Status in ResultStatus]: number };
}

/** The details of a finished call: its course and its verdicts. */
export interface ResultDetails
  extends Pick<
    Call,
    "transcript" | "nodesVisited" | "toolsCalled" | "variables" | "startVariables" | "latency" | "provenance"
  > {
  readonly verdicts: readonly Verdict[];
  readonly checks: readonly CheckResult[];
  readonly usage: Usage;
  /** The traits of the simulated caller, and of which set it is; absent for callers without them. */
  readonly caller?: CallerOfResult;
  /** Findings of the audit of the simulated caller; absent if there are none. */
  readonly audit?: CallerAudit;
  /** Repetitions that measured the source of variance; absent if there were none. */
  readonly variance?: VarianceSample;
  /** Words lost between text-to-speech and transcription; absent for calls without audio. */
  readonly audio?: AudioResult;
  /** Whether the offline model followed the path of the scenario; absent for calls that it did not play along one. */
  readonly offlinePath?: FollowedPath;
  /** Steps of the caller that the call only approximated; absent if there are none. */
  readonly approximations?: readonly Approximation[];
  /** Expectations that a call with a graph does not show; absent if there are none. */
  readonly notChecked?: readonly NotChecked[];
  /** The connection to an agent where it runs; absent for calls with a graph. */
  readonly connection?: ConnectedCallFacts;
  /** How a replayed call differs from its recording; absent for other calls. */
  readonly replay?: ReplayRecord;
}

/** The caller of a call, if it has traits or is one of a set. */
export interface CallerOfResult {
  readonly traits: CallerTraits;
  /** The scenario as it is written, and the name of the caller that played it; absent for a scenario's own caller. */
  readonly cast?: CastOf;
  /** Traits that the call gave no occasion to show, such as `patience: short` where nothing was refused. */
  readonly unseen?: readonly string[];
}

/** A call that the offline model played along the path that its scenario was generated for. */
export interface FollowedPath {
  readonly followed: boolean;
  /** Where the call left the path; absent when it followed it. */
  readonly reason?: string;
}

/** A finished call's result, to be stored. */
export interface NewResult extends ResultDetails, Pick<Call, "endReason"> {
  /**
   * Default: created by the store. A result with an existing id is not stored again, so that adding it twice is safe.
   */
  readonly id?: string;
  readonly scenario: string;
  /** Number of the repetition, from 1. Default: 1. */
  readonly trial?: number;
  /**
   * Number of the attempt at this trial, from 1. If given, a run stores at most one result per scenario, trial and
   * attempt, whatever its id; the first one stays.
   */
  readonly attempt?: number;
  readonly status: ResultStatus;
  /** ISO 8601. Default: now minus the duration. */
  readonly startedAt?: string;
  /** Number of turns of the caller. */
  readonly turnCount: number;
  readonly durationMs: number;
  /** What failed, for status `error`. */
  readonly errorMessage: string | null;
}

/** A result without transcript and other details of the call. */
export interface ResultSummary extends Pick<Call, "endReason"> {
  /** Unique across processes; sorts by creation time. */
  readonly id: string;
  readonly runId: string;
  readonly scenario: string;
  readonly trial: number;
  /** Number of the attempt at this trial, from 1; absent where a scenario and trial may have several results. */
  readonly attempt?: number;
  readonly status: ResultStatus;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly turnCount: number;
  readonly durationMs: number;
  readonly errorMessage: string | null;
}

/** A result with its transcript and the other details of the call. */
export interface ResultRecord extends ResultSummary, ResultDetails {}

/** How a call of an imported run was judged, without its transcript. */
export interface JudgedResult extends ResultSummary, Pick<ResultDetails, "verdicts" | "checks" | "provenance"> {
  /** Name of the judge's model in the run, as {@link ModelNames} has it. */
  readonly judge: string;
  /** The label of the evaluation that the result belongs to; `null` for other results. */
  readonly label: string | null;
}

/** How the results of one scenario in a run came out. */
export interface ScenarioCounts {
  readonly scenario: string;
  /** Number of results per status. */
  readonly counts: { readonly [Status in ResultStatus]: number };
  /** In the order in which they were first judged. */
  readonly criteria: readonly CriterionCounts[];
}

/** The counts of a stored run's scenario. */
export interface StoredCounts extends ScenarioCounts {
  /** Number of trials per status of their last attempt. */
  readonly latest: ScenarioCounts["counts"];
}

/** How one criterion was judged in the trials of a scenario that passed or failed. */
export interface CriterionCounts {
  readonly criterion: string;
  /** Number of trials in which it was judged. */
  readonly trials: number;
  readonly passes: number;
  /** Number of trials that had the same verdict as the criterion. */
  readonly agrees: number;
  /** From 0 to 1. */
  readonly meanScore: number;
}

/** A name for a stored run that later runs are compared with. */
export interface Baseline {
  readonly name: string;
  /** Id of the run. */
  readonly runId: string;
  /** ISO 8601. */
  readonly setAt: string;
}

/** What a person said of a call, of one of its turns, or of a criterion of the judge there. */
export interface CallLabel {
  /** Id of the result. */
  readonly call: string;
  /** The caller's turn, from 1; 0 is the opening; `null`: the whole call. */
  readonly turn: number | null;
  readonly criterion: string | null;
  readonly verdict: "good" | "bad";
  /** What went wrong. */
  readonly what: string | null;
  /** The right words. */
  readonly words: string | null;
  readonly by: string;
  /** When, ISO 8601 in UTC. */
  readonly at: string;
}
