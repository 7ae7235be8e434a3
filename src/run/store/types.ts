import type { AgentGraph } from "../../document/graph/mod.ts";
import type { ResultStatus } from "../../document/transcript/mod.ts";
import type {
  Baseline,
  CallLabel,
  JudgedResult,
  NewResult,
  NewRun,
  ResultRecord,
  ResultSummary,
  RunKind,
  RunRecord,
  StoredCounts,
} from "./records.ts";

/** A run with its results and graph. */
export interface StoredRun {
  readonly run: RunRecord;
  /** Oldest first. */
  readonly results: readonly ResultRecord[];
  readonly graph: AgentGraph;
  /** What people said of its calls in the studio, oldest first. Default: nothing. */
  readonly labels?: readonly CallLabel[];
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

/** Filters for `listJudged()`. */
export interface JudgedQuery extends WaitOptions {
  /** Only calls that started at this time or later, ISO 8601 in UTC. Default: all. */
  readonly since?: string;
}

/** How a store kept its results: which were recovered, spooled or lost, and why. */
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

/** The result of recovering spool files. */
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
 * `storeTimeoutMs` go to a spool file, as do those beyond 1,000 waiting ones. While other processes write to the same
 * file, results wait as long as the writer makes progress. If the database loses results of
 * unfinished runs, for example because its file was deleted, they are written again.
 *
 * Every method throws `StoreError`: `store-failed` when the database is damaged, unreachable, too slow or the signal is
 * aborted, and `unknown-run` for a run that does not exist.
 */
export interface Store extends AsyncDisposable {
  /** Address of the database, without user, password or token. */
  readonly url: string;
  /**
   * Stores a run and its graph before its first call, or joins the run that has the name `joinRun`,
   * or resumes the run `resume`, which is then unfinished again.
   *
   * @throws {StoreError} `different-plan` when that run has another graph, plan or number of parts.
   */
  startRun(run: NewRun, options?: WaitOptions): Promise<RunRecord>;
  /**
   * Stores one result atomically. It also stays in memory until the run is finished, unless the run is `imported`.
   *
   * @param options `onKnown`: called if the database has a result with the same id already; nothing is stored then.
   * @returns The stored record. If the run already has a result of this scenario, trial and attempt, that one.
   * @throws {StoreError} `result-spooled` when it was written to a spool file instead.
   */
  addResult(
    runId: string,
    result: NewResult,
    options?: WaitOptions & { readonly onKnown?: () => void },
  ): Promise<ResultRecord>;
  /**
   * Keeps finished calls that wait for their verdicts, one for each trial, until the result of the trial is stored; one
   * with the status `cancelled` leaves the call there. A run that is resumed judges them and does not hold them again.
   */
  keepUnjudged(runId: string, calls: readonly NewResult[], options?: WaitOptions): Promise<void>;
  /** Returns the calls of `keepUnjudged` whose trial has no result yet. */
  unjudgedCalls(runId: string, options?: WaitOptions): Promise<readonly ResultRecord[]>;
  /** Stores what people said of calls. Of two labels of a person for the same place, the later one is kept. */
  addLabels(labels: readonly CallLabel[], options?: WaitOptions): Promise<void>;
  /**
   * Waits for the run's results and marks it as finished. `finishedAt` defaults to now. A run that is split into parts
   * is finished when its last part is.
   *
   * @param options `part`: number of the part that is finished. Default: the part with which `startRun` was called.
   * @throws {StoreError} `result-spooled` when this was written to a spool file instead.
   */
  finishRun(
    runId: string,
    options?: WaitOptions & { readonly finishedAt?: string; readonly part?: number },
  ): Promise<RunRecord>;
  /**
   * Deletes a run with its results, by id, unique prefix or the name of a baseline.
   *
   * @throws {StoreError} `run-is-baseline` when it is a baseline.
   */
  deleteRun(idOrPrefix: string, options?: WaitOptions): Promise<RunRecord>;
  /** Writes this database's spool files to it. Several processes may do so at the same time. */
  recover(): Promise<Recovery>;
  /** Returns what happened to the results so far. */
  status(): StoreStatus;
  /** Returns runs with their counts, newest first. Does not read transcripts. */
  listRuns(query?: RunQuery): Promise<readonly RunRecord[]>;
  /** Returns results without transcripts, newest first. */
  listResults(query?: ResultQuery): Promise<readonly ResultSummary[]>;
  /** Returns the results of all imported runs and evaluations, oldest record first, without transcripts. */
  listJudged(query?: JudgedQuery): Promise<readonly JudgedResult[]>;
  /** Returns a run by id, unique prefix or the name of a baseline. */
  findRun(idOrPrefix: string, options?: WaitOptions): Promise<RunRecord>;
  /** Returns a run with its results and graph. */
  showRun(idOrPrefix: string, options?: WaitOptions): Promise<StoredRun>;
  /** Returns the graph of a run by id, unique prefix or the name of a baseline. */
  showGraph(idOrPrefix: string, options?: WaitOptions): Promise<AgentGraph>;
  /** Returns those of the ids of results that are stored, whatever their run. */
  knownResults(ids: readonly string[], options?: WaitOptions): Promise<ReadonlySet<string>>;
  /** Returns a complete result; `undefined` if the id is unknown. */
  findResult(id: string, options?: WaitOptions): Promise<ResultRecord | undefined>;
  /** Counts a run's results and judged criteria, by its full id and in the order of its scenarios. Reads no transcripts. */
  countResults(runId: string, options?: WaitOptions): Promise<readonly StoredCounts[]>;
  /**
   * Names a run that later runs can be compared with. Replaces the run that had the name.
   *
   * @throws {StoreError} `partial-run` when the run has not finished, or is a part: a shard, selected scenarios, or calls
   *   without a verdict.
   */
  setBaseline(name: string, idOrPrefix: string, options?: WaitOptions): Promise<Baseline>;
  /** Returns all baselines, by name. */
  listBaselines(options?: WaitOptions): Promise<readonly Baseline[]>;
  /** Returns a baseline; `undefined` if no run has this name. */
  findBaseline(name: string, options?: WaitOptions): Promise<Baseline | undefined>;
  /**
   * Removes a name. The run stays.
   *
   * @throws {StoreError} `unknown-baseline`.
   */
  removeBaseline(name: string, options?: WaitOptions): Promise<Baseline>;
  /** Waits for pending calls, then closes files and connections. Later calls are rejected. */
  close(): Promise<void>;
}
