import { StoreError } from "../errors.ts";
import type { ModelNames, ResultRecord, ResultStatus, RunKind, StoredRun } from "../store/mod.ts";
import type { Usage } from "../transcript/mod.ts";
import { checkOptions, isRecord, rule } from "../values/mod.ts";
import { addUsage } from "./usage.ts";

/** Where the results of a run are. */
export interface StorageReport {
  /** The database, without user, password or token; `null`: results are not stored. */
  readonly store: string | null;
  /** Why results are missing in the database; `null`: all are there, or they were not meant to be. */
  readonly storeError: string | null;
  /** How many results are in the database. */
  readonly stored: number;
  /** How many are in the spool file instead; `callweave runs recover`, or the next run, writes them to the database. */
  readonly spooled: number;
  /** How many are in this report alone. */
  readonly lost: number;
  /** The spool file; `null`: the run needed none. */
  readonly spoolFile: string | null;
  /** What happened to the database during the run, and which results of earlier runs are not in it, one sentence each. */
  readonly storeWarnings: readonly string[];
}

/** What a run came to: plain data, for reporters and for JSON. */
export interface RunReport extends StorageReport {
  /** The stored run's id; of a run that is not stored, an id of its own. */
  readonly id: string;
  readonly kind: RunKind;
  /** The agent's name. */
  readonly name: string;
  readonly models: ModelNames;
  /** Whether the embedded model played any part: its results say little about a real agent. */
  readonly offline: boolean;
  /** Why recordings of model calls are missing; `null`: all were written, or there were none to write. */
  readonly recordingsError: string | null;
  /** ISO 8601. */
  readonly startedAt: string;
  /** From the first call's beginning to the last one's end, without any wait for the database. */
  readonly durationMs: number;
  /** Why the run was stopped before all of its calls were over; absent: it was not, or its signal has aborted it. */
  readonly stopped?: string;
  readonly counts: { readonly [Status in ResultStatus]: number };
  /** Whether there are results, and no call failed, ended in an error or was cancelled, or never took place. */
  readonly passed: boolean;
  /** In the order of the scenarios. */
  readonly results: readonly ResultRecord[];
  /** Of all model calls: the agent's, the caller's and the judge's. */
  readonly usage: Usage;
}

/** What a report says beside what can be counted from its results. */
export type ReportHead = Omit<RunReport, "counts" | "passed" | "results" | "usage" | "offline">;

/**
 * The report of results, with everything that follows from them.
 *
 * @param isFinished Whether all calls of the run have a result.
 */
export function completeReport(head: ReportHead, results: readonly ResultRecord[], isFinished = true): RunReport {
  const count = (status: ResultStatus) => results.filter((result) => result.status === status).length;
  const counts = {
    pass: count("pass"),
    fail: count("fail"),
    error: count("error"),
    imported: count("imported"),
    cancelled: count("cancelled"),
  };
  return {
    ...head,
    offline: Object.values(head.models).includes("offline"),
    counts,
    passed: isFinished && results.length > 0 && counts.fail + counts.error + counts.cancelled === 0,
    results,
    usage: addUsage(results.map(({ usage }) => usage)),
  };
}

const STORED = {
  stored: rule("what a store gives for a run: { run, results }", isStoredRun),
  store: rule("a text or null", (value) => value === null || typeof value === "string"),
};

/**
 * The report of a run that was read from a store. One that was not finished has not passed.
 *
 * @throws {StoreError} `invalid-option`.
 */
export function reportOf(stored: StoredRun, store: string | null = null): RunReport {
  checkOptions({ stored: stored ?? null, store }, STORED, StoreError, "Cannot report a stored run");
  const { run, results } = stored;
  const head = {
    id: run.id,
    kind: run.kind,
    name: run.agent,
    models: run.models,
    store,
    storeError: null,
    recordingsError: null,
    stored: store === null ? 0 : results.length,
    spooled: 0,
    lost: 0,
    spoolFile: null,
    storeWarnings: [],
    startedAt: run.startedAt,
    durationMs: run.finishedAt === null ? 0 : Math.max(0, Date.parse(run.finishedAt) - Date.parse(run.startedAt)),
  };
  return completeReport(head, results, run.finishedAt !== null);
}

function isStoredRun(value: unknown): boolean {
  if (!isRecord(value) || !isRecord(value.run) || !isRecord(value.run.models)) return false;
  const { startedAt: started, finishedAt: finished } = value.run;
  if (typeof started !== "string" || (finished !== null && typeof finished !== "string")) return false;
  return Array.isArray(value.results) && value.results.every((result) => isRecord(result) && isUsage(result.usage));
}

function isUsage(usage: unknown): boolean {
  if (!isRecord(usage)) return false;
  const { byRole } = usage;
  return (
    byRole === undefined || (isRecord(byRole) && ["agent", "caller", "judge"].every((role) => isRecord(byRole[role])))
  );
}
