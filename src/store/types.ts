import type { AgentGraph } from "../graph/mod.ts";
import type { CheckResult, EndReason, Message, ToolCall, Usage, Verdict } from "../transcript/mod.ts";
import type { JsonObject } from "../values/mod.ts";

/** Origins of a run's calls: simulated callers, imported real calls, or replays of these. */
export const RUN_KINDS = ["simulated", "imported", "replay"] as const;

/** Where the calls of a run come from: `simulated`, `imported` or `replay`. */
export type RunKind = (typeof RUN_KINDS)[number];

/** Possible statuses of a result. `error` means that a model or the runner failed, not the agent. */
export const RESULT_STATUSES = ["pass", "fail", "error", "imported", "cancelled"] as const;

/** Status of a result. `error` means that a model or the runner failed, not the agent. */
export type ResultStatus = (typeof RESULT_STATUSES)[number];

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
  /** Number of results per status. */
  readonly counts: { readonly [Status in ResultStatus]: number };
}

/** Fields of a finished call's result. */
export interface NewResult {
  /**
   * Default: created by the store. A result with an existing id is not stored again, so that adding it twice is safe.
   */
  readonly id?: string;
  readonly scenario: string;
  /** Number of the repetition, from 1. Default: 1. */
  readonly trial?: number;
  /** Number of the attempt, from 1: a trial with status `invalid` is held again. Default: 1. */
  readonly attempt?: number;
  readonly status: ResultStatus;
  /** ISO 8601. Default: now minus the duration. */
  readonly startedAt?: string;
  readonly transcript: readonly Message[];
  readonly verdicts: readonly Verdict[];
  readonly checks: readonly CheckResult[];
  /** Node ids in the order of entry. */
  readonly nodesVisited: readonly string[];
  readonly toolsCalled: readonly ToolCall[];
  /** Values at the end of the call: numbers and booleans where the graph declares them, else texts. */
  readonly variables: JsonObject;
  /** Number of turns of the caller. */
  readonly turnCount: number;
  readonly durationMs: number;
  readonly usage: Usage;
  /** `null` when the call did not end, or the reason is unknown. */
  readonly endReason: EndReason | null;
  /** What failed, for status `error`. */
  readonly errorMessage: string | null;
}

/** A result without transcript and other details of the call. */
export interface ResultSummary {
  /** Unique across processes; sorts by creation time. */
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

/** A complete result. */
export interface ResultRecord extends ResultSummary {
  readonly transcript: readonly Message[];
  readonly verdicts: readonly Verdict[];
  readonly checks: readonly CheckResult[];
  readonly nodesVisited: readonly string[];
  readonly toolsCalled: readonly ToolCall[];
  readonly variables: JsonObject;
  readonly usage: Usage;
}

/** A run with its results and graph. */
export interface StoredRun {
  readonly run: RunRecord;
  /** Oldest first. */
  readonly results: readonly ResultRecord[];
  readonly graph: AgentGraph;
}

/** Abort signal of a store call. Every call also has a time limit, see `storeTimeoutMs` of `openStore()`. */
export interface WaitOptions {
  readonly signal?: AbortSignal;
}

/** Page of a list, newest first. */
export interface Page extends WaitOptions {
  /** Page size. Default: 50. */
  readonly limit?: number;
  /** Id of the last record of the previous page; only older ones are returned. */
  readonly before?: string;
}

/** Filters for `listRuns()`. */
export interface RunQuery extends Page {
  readonly kind?: RunKind;
  readonly agent?: string;
  readonly graphFingerprint?: string;
}

/** Filters for `listResults()`. */
export interface ResultQuery extends Page {
  /** Full id of a run. */
  readonly runId?: string;
  readonly scenario?: string;
  readonly status?: ResultStatus;
}

/** What happened to a store's results. */
export interface StoreStatus {
  /** Path of the spool file with results that the database did not accept; `null` when nothing was spooled. */
  readonly spoolFile: string | null;
  /** Number of results of earlier runs that were recovered from spool files when the store was opened. */
  readonly recovered: number;
  /** Spool files with unreadable lines, whose results are not all in the database. */
  readonly unreadable: readonly string[];
  /** Why the last recovery of spool files failed; `null` when it succeeded. */
  readonly recoveryError: string | null;
  /** How often the database lost results and everything was written again. */
  readonly restored: number;
  /**
   * Results that the database lost and that could not be rewritten: in the spool file (`spooled`) or nowhere (`lost`).
   */
  readonly displaced: { readonly spooled: number; readonly lost: number };
}

/** What was recovered from spool files. */
export interface Recovery {
  /** Number of results that were not in the database before. */
  readonly results: number;
  /** Ids of their runs. */
  readonly runs: readonly string[];
  /** Number of lines that are unreadable or whose run is missing. Their files stay, with the suffix `.left`. */
  readonly damaged: number;
  /** Spool files that still hold results, because lines of them could not be read now or earlier. */
  readonly unreadable: readonly string[];
  /** Databases of other spool files in the folder. */
  readonly otherDatabases: readonly string[];
}

/**
 * Runs and their results in a libSQL database. Many processes may use one database. Once a call has resolved, its data
 * is stored, even if the process crashes afterwards.
 *
 * Results go through one writer: call `addResult` in parallel, and waiting results are written in one transaction.
 * While the database does not answer, the writer retries with growing pauses. Results that are not written within
 * `storeTimeoutMs` go to a spool file, as do those beyond 1,000 waiting ones. If the database loses results of
 * unfinished runs, for example because its file was deleted, they are written again.
 *
 * Every method throws `StoreError`: `store-failed` when the database is damaged, unreachable, too slow or the signal is
 * aborted, and `unknown-run` for a run that does not exist.
 */
export interface Store extends AsyncDisposable {
  /** Address of the database, without user, password or token. */
  readonly url: string;
  /** Stores a run and its graph before its first call. */
  startRun(run: NewRun, options?: WaitOptions): Promise<RunRecord>;
  /**
   * Stores one result atomically. It also stays in memory until the run is finished.
   *
   * @throws {StoreError} `result-spooled` when it was written to a spool file instead.
   */
  addResult(runId: string, result: NewResult, options?: WaitOptions): Promise<ResultRecord>;
  /**
   * Waits for the run's results and marks it as finished. `finishedAt` defaults to now.
   *
   * @throws {StoreError} `result-spooled` when this was written to a spool file instead.
   */
  finishRun(runId: string, options?: WaitOptions & { readonly finishedAt?: string }): Promise<RunRecord>;
  /** Deletes a run with its results, by id or unique prefix. */
  deleteRun(idOrPrefix: string, options?: WaitOptions): Promise<RunRecord>;
  /** Writes this database's spool files to it. Several processes may do so at the same time. */
  recover(): Promise<Recovery>;
  /** Returns what happened to the results so far. */
  status(): StoreStatus;
  /** Returns runs with their counts, newest first. Does not read transcripts. */
  listRuns(query?: RunQuery): Promise<readonly RunRecord[]>;
  /** Returns results without transcripts, newest first. */
  listResults(query?: ResultQuery): Promise<readonly ResultSummary[]>;
  /** Returns a run by id or unique prefix. */
  findRun(idOrPrefix: string, options?: WaitOptions): Promise<RunRecord>;
  /** Returns a run with its results and graph. */
  showRun(idOrPrefix: string, options?: WaitOptions): Promise<StoredRun>;
  /** Returns a complete result; `undefined` if the id is unknown. */
  findResult(id: string, options?: WaitOptions): Promise<ResultRecord | undefined>;
  /** Waits for pending calls, then closes files and connections. Later calls are rejected. */
  close(): Promise<void>;
}
