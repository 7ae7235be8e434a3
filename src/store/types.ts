import type {
  AgentGraph,
  CheckResult,
  EndReason,
  JsonObject,
  Message,
  ToolCall,
  Usage,
  Verdict,
} from "../graph/mod.ts";

/** How the calls of a run came about: simulated callers, calls that really happened, or such calls held again. */
export const RUN_KINDS = ["simulated", "imported", "replay"] as const;

/** One of {@link RUN_KINDS}. */
export type RunKind = (typeof RUN_KINDS)[number];

/** How a call came out. `error`: the harness or a model failed, never that the agent did badly. */
export const RESULT_STATUSES = ["pass", "fail", "error", "imported", "cancelled"] as const;

/** One of {@link RESULT_STATUSES}. */
export type ResultStatus = (typeof RESULT_STATUSES)[number];

/** The models of a run, each as it is named on the command line or by the AI SDK: `openai/gpt-5`, `offline`. */
export interface ModelNames {
  readonly agent: string;
  readonly caller: string;
  readonly judge: string;
}

/** What is known of a run when it starts. */
export interface NewRun {
  readonly kind: RunKind;
  /** ISO 8601; absent: now. */
  readonly started_at?: string;
  /** The agent's name: of a flow the one it was given, else the file's. */
  readonly agent: string;
  /** Kept once for all runs with its fingerprint. */
  readonly graph: AgentGraph;
  readonly models: ModelNames;
  /** How the run was asked for: trials, concurrency, filters, … Never a key or a token. */
  readonly options: JsonObject;
}

/** A run, without its results. */
export interface RunRecord {
  /** Sorts by the time at which the run was stored; unique across processes. */
  readonly id: string;
  readonly kind: RunKind;
  /** ISO 8601. */
  readonly started_at: string;
  /** ISO 8601; `null`: still running, or its process is gone. */
  readonly finished_at: string | null;
  readonly agent: string;
  readonly graph_fingerprint: string;
  readonly models: ModelNames;
  readonly options: JsonObject;
  /** How many results there are of each status. */
  readonly counts: { readonly [Status in ResultStatus]: number };
}

/** What a finished call leaves behind. */
export interface NewResult {
  readonly scenario: string;
  /** Counts from 1 where a scenario is run several times. Absent: 1. */
  readonly trial?: number;
  readonly status: ResultStatus;
  /** ISO 8601; absent: now less the duration. */
  readonly started_at?: string;
  readonly transcript: readonly Message[];
  readonly verdicts: readonly Verdict[];
  readonly checks: readonly CheckResult[];
  /** Ids in the order of entry. */
  readonly nodes_visited: readonly string[];
  readonly tools_called: readonly ToolCall[];
  /** As they stood at the end of the call. */
  readonly variables: JsonObject;
  /** Turns of the caller. */
  readonly turn_count: number;
  readonly duration_ms: number;
  readonly usage: Usage;
  /** `null`: the call has not come to an end that is known. */
  readonly end_reason: EndReason | null;
  /** Of an `error`, what failed. */
  readonly error_message: string | null;
}

/** A result without what only a look at the call itself needs. */
export interface ResultSummary {
  /** Sorts by the time at which the result was stored; unique across processes. */
  readonly id: string;
  readonly run_id: string;
  readonly scenario: string;
  readonly trial: number;
  readonly status: ResultStatus;
  /** ISO 8601. */
  readonly started_at: string;
  readonly turn_count: number;
  readonly duration_ms: number;
  readonly end_reason: EndReason | null;
  readonly error_message: string | null;
}

/** A result in full. */
export interface ResultRecord extends ResultSummary {
  readonly transcript: readonly Message[];
  readonly verdicts: readonly Verdict[];
  readonly checks: readonly CheckResult[];
  readonly nodes_visited: readonly string[];
  readonly tools_called: readonly ToolCall[];
  readonly variables: JsonObject;
  readonly usage: Usage;
}

/** A run with everything that was stored for it. */
export interface StoredRun {
  readonly run: RunRecord;
  /** In the order in which they were stored. */
  readonly results: readonly ResultRecord[];
  readonly graph: AgentGraph;
}

/** How long to wait. Every call is bounded also without it: see `timeoutMs` of `openStore`. */
export interface WaitOptions {
  readonly signal?: AbortSignal;
}

/** Which part of a list is wanted, newest first. */
export interface Page extends WaitOptions {
  /** At most this many. Default: 50. */
  readonly limit?: number;
  /** Only what is older than the record of this id: the last one of the page before. */
  readonly before?: string;
}

/** Which runs are listed. */
export interface RunQuery extends Page {
  readonly kind?: RunKind;
  readonly agent?: string;
  readonly graph_fingerprint?: string;
}

/** Which results are listed. */
export interface ResultQuery extends Page {
  /** A run's full id. */
  readonly run_id?: string;
  readonly scenario?: string;
  readonly status?: ResultStatus;
}

/**
 * Runs and their results in a libSQL database. Many processes may use one database at a time; what a call has returned
 * for is stored, whatever happens to the process afterwards.
 *
 * Every method throws `StoreError` `store-failed` when the database does not do what it is asked (its file was
 * damaged, the server went away, a limit of time passed or the signal was aborted), and `unknown-run` for a run that
 * is not there.
 */
export interface Store extends AsyncDisposable {
  /** Where the results are, without user, password or token. */
  readonly url: string;
  /** Stores a run before its first call, together with the graph. */
  startRun(run: NewRun, options?: WaitOptions): Promise<RunRecord>;
  /** Stores one result, whole or not at all. */
  addResult(runId: string, result: NewResult, options?: WaitOptions): Promise<ResultRecord>;
  /** Marks a run as finished: now, unless it is told when. */
  finishRun(runId: string, options?: WaitOptions & { readonly finished_at?: string }): Promise<RunRecord>;
  /** Runs with their counts, newest first; transcripts are not touched. */
  listRuns(query?: RunQuery): Promise<readonly RunRecord[]>;
  /** Results without transcripts, newest first. */
  listResults(query?: ResultQuery): Promise<readonly ResultSummary[]>;
  /** The one run whose id is, or begins with, the given text. */
  findRun(idOrPrefix: string, options?: WaitOptions): Promise<RunRecord>;
  /** A run with its results and its graph. */
  showRun(idOrPrefix: string, options?: WaitOptions): Promise<StoredRun>;
  /** One result in full; `undefined` when there is none of this id. */
  findResult(id: string, options?: WaitOptions): Promise<ResultRecord | undefined>;
  /** Waits for the calls before it, then gives back files and connections. Calls after it are refused. */
  close(): Promise<void>;
}
