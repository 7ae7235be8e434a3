import type { AgentGraph } from "../graph/mod.ts";
import type { CheckResult, EndReason, Message, ToolCall, Usage, Verdict } from "../transcript/mod.ts";
import type { JsonObject } from "../values/mod.ts";

/** Origin of a run's calls: simulated callers, imported real calls, or replays of these. */
export const RUN_KINDS = ["simulated", "imported", "replay"] as const;

/** Where the calls of a run come from: `simulated`, `imported` or `replay`. */
export type RunKind = (typeof RUN_KINDS)[number];

/** How a call came out. `error`: the harness or a model failed, never that the agent did badly. */
export const RESULT_STATUSES = ["pass", "fail", "error", "imported", "cancelled"] as const;

/** How a call came out: `pass`, `fail`, `error`, `imported` or `cancelled`; `error` is never the agent's fault. */
export type ResultStatus = (typeof RESULT_STATUSES)[number];

/** The models of a run, each as it is named on the command line or by the AI SDK: `openai/gpt-5`, `offline`. */
export interface ModelNames {
  readonly agent: string;
  readonly caller: string;
  readonly judge: string;
}

/** Fields of a run that are known when it starts. */
export interface NewRun {
  readonly kind: RunKind;
  /** ISO 8601; absent: now. */
  readonly startedAt?: string;
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
  readonly startedAt: string;
  /** ISO 8601; `null`: still running, or its process is gone. */
  readonly finishedAt: string | null;
  readonly agent: string;
  readonly graphFingerprint: string;
  readonly models: ModelNames;
  readonly options: JsonObject;
  /** How many results there are of each status. */
  readonly counts: { readonly [Status in ResultStatus]: number };
}

/** What a finished call leaves behind. */
export interface NewResult {
  /**
   * Absent: made by the store. A result whose id is stored already is not stored again, so that adding it once more is
   * always safe.
   */
  readonly id?: string;
  readonly scenario: string;
  /** Counts from 1 where a scenario is run several times. Absent: 1. */
  readonly trial?: number;
  readonly status: ResultStatus;
  /** ISO 8601; absent: now less the duration. */
  readonly startedAt?: string;
  readonly transcript: readonly Message[];
  readonly verdicts: readonly Verdict[];
  readonly checks: readonly CheckResult[];
  /** Ids in the order of entry. */
  readonly nodesVisited: readonly string[];
  readonly toolsCalled: readonly ToolCall[];
  /** As they stood at the end of the call: numbers and booleans where the graph declares them, else text. */
  readonly variables: JsonObject;
  /** Turns of the caller. */
  readonly turnCount: number;
  readonly durationMs: number;
  readonly usage: Usage;
  /** `null`: the call did not end, or its end is unknown. */
  readonly endReason: EndReason | null;
  /** Of an `error`, what failed. */
  readonly errorMessage: string | null;
}

/** A result without what only a look at the call itself needs. */
export interface ResultSummary {
  /** Sorts by the time at which the result was stored; unique across processes. */
  readonly id: string;
  readonly runId: string;
  readonly scenario: string;
  readonly trial: number;
  readonly status: ResultStatus;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly turnCount: number;
  readonly durationMs: number;
  readonly endReason: EndReason | null;
  readonly errorMessage: string | null;
}

/** A result in full. */
export interface ResultRecord extends ResultSummary {
  readonly transcript: readonly Message[];
  readonly verdicts: readonly Verdict[];
  readonly checks: readonly CheckResult[];
  readonly nodesVisited: readonly string[];
  readonly toolsCalled: readonly ToolCall[];
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

/** How long to wait. Every call is bounded also without it: see `storeTimeoutMs` of `openStore`. */
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
  readonly graphFingerprint?: string;
}

/** Which results are listed. */
export interface ResultQuery extends Page {
  /** A run's full id. */
  readonly runId?: string;
  readonly scenario?: string;
  readonly status?: ResultStatus;
}

/** What happened to the results that a store was given. */
export interface StoreStatus {
  /** The spool file that holds what the database did not take; `null`: nothing was spooled. */
  readonly spoolFile: string | null;
  /** Results of earlier runs that were written from spool files when the store was opened. */
  readonly recovered: number;
  /** Spool files whose results are not all in the database, because lines of them cannot be read. */
  readonly unreadable: readonly string[];
  /** Why spool files could not be written to the database when it was last tried; `null`: they could. */
  readonly recoveryError: string | null;
  /** How often the database had lost what was stored in it, so that everything was written again. */
  readonly restored: number;
  /** Results that the database had taken and lost, and that could not be written again: in the spool, or nowhere. */
  readonly displaced: { readonly spooled: number; readonly lost: number };
}

/** What was written from spool files. */
export interface Recovery {
  /** Results that were not in the database before. */
  readonly results: number;
  /** Ids of the runs that they belong to. */
  readonly runs: readonly string[];
  /** Lines that cannot be read, or whose run is nowhere; their files stay, with names that end with `.left`. */
  readonly damaged: number;
  /** Spool files with results that are not in the database: lines of them could not be read, this time or before. */
  readonly unreadable: readonly string[];
  /** Databases that other spool files of the folder are for. */
  readonly otherDatabases: readonly string[];
}

/**
 * Runs and their results in a libSQL database. Many processes may use one database at a time; what a call has returned
 * for is stored, whatever happens to the process afterwards.
 *
 * Results go through one writer: `addResult` may be called many times in parallel, and what waits goes into one
 * transaction. While the database does not answer, the writer tries again with growing pauses. A result that the
 * database has not taken when `storeTimeoutMs` is over is written to a spool file, as are those that would be more than 1,000
 * that wait. A database that has lost what this store wrote of a run that is not finished, because its file was deleted
 * in the meantime, gets it again.
 *
 * Every method throws `StoreError` `store-failed` when the database does not do what it is asked (its file was
 * damaged, the server went away, a time limit passed or the signal was aborted), and `unknown-run` for a run that is
 * not there.
 */
export interface Store extends AsyncDisposable {
  /** Where the results are, without user, password or token. */
  readonly url: string;
  /** Stores a run before its first call, together with the graph. */
  startRun(run: NewRun, options?: WaitOptions): Promise<RunRecord>;
  /**
   * Stores one result, whole or not at all. Until the run is finished, the store keeps it in memory too.
   *
   * @throws {StoreError} `result-spooled` when it is in a spool file instead.
   */
  addResult(runId: string, result: NewResult, options?: WaitOptions): Promise<ResultRecord>;
  /**
   * Waits for the run's results and marks it as finished: now, unless `finishedAt` says when.
   *
   * @throws {StoreError} `result-spooled` when that is in a spool file instead.
   */
  finishRun(runId: string, options?: WaitOptions & { readonly finishedAt?: string }): Promise<RunRecord>;
  /** Deletes the one run whose id is, or begins with, the given text, with its results. */
  deleteRun(idOrPrefix: string, options?: WaitOptions): Promise<RunRecord>;
  /** Writes to the database what spool files hold for it. Several processes may do so at a time. */
  recover(): Promise<Recovery>;
  /** What happened to the results so far. */
  status(): StoreStatus;
  /** Runs with their counts, newest first; transcripts are not touched. */
  listRuns(query?: RunQuery): Promise<readonly RunRecord[]>;
  /** Results without transcripts, newest first. */
  listResults(query?: ResultQuery): Promise<readonly ResultSummary[]>;
  /** The one run whose id is, or begins with, the given text. */
  findRun(idOrPrefix: string, options?: WaitOptions): Promise<RunRecord>;
  /** A run with its results and its graph. */
  showRun(idOrPrefix: string, options?: WaitOptions): Promise<StoredRun>;
  /** One complete result; `undefined` if no result has this id. */
  findResult(id: string, options?: WaitOptions): Promise<ResultRecord | undefined>;
  /** Waits for the calls before it, then closes files and connections. Calls after it are refused. */
  close(): Promise<void>;
}
