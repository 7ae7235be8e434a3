import { ScenarioError, StoreError } from "../../base/errors.ts";
import {
  type Clock,
  checkOptions,
  dropPromise,
  isRecord,
  readableError,
  rule,
  shown,
  thrownWords,
} from "../../base/values/mod.ts";
import { type CallbackGuard, isTime } from "../../call/engine/mod.ts";
import { type LatencySummary, summariseLatency } from "../../call/latency/mod.ts";
import type { CallUsage, Role } from "../../call/models/mod.ts";
import type { Usage } from "../../document/transcript/mod.ts";
import type { ModelNames, ResultRecord, ResultStatus, RunKind, StoredRun } from "../store/mod.ts";
import {
  type CallerTable,
  callerTable,
  countStatuses,
  haveAllPassed,
  type PlannedScenario,
  plannedIn,
  type ScenarioSummary,
  summarise,
} from "../summary/mod.ts";
import type { RunListeners } from "./options.ts";

/** Where the results of a run are. */
export interface StorageReport {
  /** The database, without user, password or token; `null`: results are not stored. */
  readonly store: string | null;
  /** Why results are missing in the database; `null` when none are missing or the run has no store. */
  readonly storeError: string | null;
  /** Number of results in the database. */
  readonly stored: number;
  /** Number of results in the spool file. `callweave runs recover` or the next run writes them to the database. */
  readonly spooled: number;
  /** Number of results that are only in this report. */
  readonly lost: number;
  /** Path of the spool file; `null` when it was not needed. */
  readonly spoolFile: string | null;
  /** Warnings about the database, and about results of earlier runs that are missing in it. One sentence each. */
  readonly storeWarnings: readonly string[];
}

/** Results and statistics of a run, as plain data for reporters and JSON. */
export interface RunReport extends StorageReport {
  /** Id of the stored run, or a new id when the run is not stored. */
  readonly id: string;
  readonly kind: RunKind;
  /** The agent's name. */
  readonly name: string;
  readonly models: ModelNames;
  /** Whether the offline model played a role. Such results say little about the real agent. */
  readonly offline: boolean;
  /** Why recordings of model calls are missing; `null` when none are missing. */
  readonly recordingsError: string | null;
  /** Why OpenTelemetry spans are missing at the collector; absent when none are missing. */
  readonly telemetryError?: string;
  /**
   * How models gave structured answers whose servers refuse JSON schemas, a sentence for each; absent when there are
   * none, and in reports of stored runs.
   */
  readonly modelNotices?: readonly string[];
  /** ISO 8601. */
  readonly startedAt: string;
  /** From the start of the first call to the end of the last one, without waiting for the database. */
  readonly durationMs: number;
  /** Why the run stopped early; absent when it completed or was aborted by its signal. */
  readonly stopped?: string;
  /** Number of calls per status. */
  readonly counts: { readonly [Status in ResultStatus]: number };
  /** Statistics and verdict of each scenario, in the order of the scenarios. */
  readonly scenarios: readonly ScenarioSummary[];
  /** The results by scenario and caller; absent for a run without sets of callers. */
  readonly callers?: CallerTable;
  /** True when the run is complete, there are results, and the gate of every scenario passed. */
  readonly passed: boolean;
  /** In the order of the scenarios and of their trials. */
  readonly results: readonly ResultRecord[];
  /** Usage of all model calls: the agent's, the caller's and the judge's. */
  readonly usage: Usage;
  /** How long callers waited for the agent's first word; absent when no turn was measured. */
  readonly latency?: LatencySummary;
}

/** Fields of a report that cannot be computed from its results. */
export type ReportHead = Omit<
  RunReport,
  "counts" | "scenarios" | "callers" | "passed" | "results" | "usage" | "latency" | "offline"
>;

/** The plan of a run, and whether it completed it. */
export interface ReportPlan {
  readonly planned: readonly PlannedScenario[];
  /** Default: true. */
  readonly isFinished?: boolean;
}

/** Builds a report from results and computes its statistics, usage and verdict. */
export function completeReport(
  head: ReportHead,
  results: readonly ResultRecord[],
  { planned, isFinished = true }: ReportPlan,
): RunReport {
  const scenarios = summarise(planned, results);
  const latency = summariseLatency(results);
  const callers = scenarios.some(({ cast }) => cast) ? callerTable(scenarios) : undefined;
  return {
    ...head,
    offline: Object.values(head.models).includes("offline"),
    counts: countStatuses(results.map(({ status }) => status)),
    scenarios,
    ...(callers ? { callers } : {}),
    passed: isFinished && haveAllPassed(scenarios),
    results,
    usage: addUsage(results.map(({ usage }) => usage)),
    ...(latency ? { latency } : {}),
  };
}

const STORED = {
  stored: rule("a run from a store: { run, results }", isStoredRun),
  store: rule("a text or null", (value) => value === null || typeof value === "string"),
};

/**
 * Builds the report of a stored run. An unfinished run has not passed.
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
  return completeReport(head, results, { planned: plannedIn(run, results), isFinished: run.finishedAt !== null });
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

/** Sums the usage of model calls, in total and per role. */
export function usageOf(calls: readonly CallUsage[]): Usage {
  const of = (role: Role) => calls.filter(({ signature }) => roleOf(signature) === role);
  return {
    ...totalOf(calls),
    byRole: { agent: totalOf(of("agent")), caller: totalOf(of("caller")), judge: totalOf(of("judge")) },
  };
}

export function addUsage(usages: readonly Usage[]): Usage {
  const roles = usages.flatMap(({ byRole }) => byRole ?? []);
  const of = (role: Role) => addTotals(roles.map((byRole) => byRole[role]));
  const retries = usages.reduce((sum, usage) => sum + (usage.retries ?? 0), 0);
  return {
    ...addTotals(usages),
    ...(retries > 0 ? { retries } : {}),
    ...(roles.length > 0 ? { byRole: { agent: of("agent"), caller: of("caller"), judge: of("judge") } } : {}),
  };
}

type Total = Omit<Usage, "byRole">;

/** Adds the requests of model calls. */
export function totalOf(calls: readonly CallUsage[]): Total {
  return addTotals(
    calls.map(({ inputTokens, outputTokens, modelMs, costUsd }) => ({
      calls: 1,
      inputTokens,
      outputTokens,
      modelMs,
      ...(costUsd === undefined ? {} : { costUsd }),
    })),
  );
}

/** Adds totals. The cost is known only when the cost of every part is known; otherwise the sum would be too low. */
export function addTotals(totals: readonly Total[]): Total {
  const sum = (key: "calls" | "inputTokens" | "outputTokens" | "modelMs") =>
    totals.reduce((all, total) => all + total[key], 0);
  const costs = totals.flatMap(({ costUsd }) => costUsd ?? []);
  return {
    calls: sum("calls"),
    inputTokens: sum("inputTokens"),
    outputTokens: sum("outputTokens"),
    modelMs: sum("modelMs"),
    ...(costs.length === totals.length ? { costUsd: costs.reduce((all, cost) => all + cost, 0) } : {}),
  };
}

const JUDGE_SIGNATURES: ReadonlySet<CallUsage["signature"]> = new Set(["judge", "replies", "audit", "traits", "flow"]);

/** Returns the role that makes calls of a signature. */
export function roleOf(signature: CallUsage["signature"]): Role {
  if (JUDGE_SIGNATURES.has(signature)) return "judge";
  return signature === "caller" ? "caller" : "agent";
}

/** Maximum time that a run waits at its end for the promises of callbacks. */
const LONGEST_WAIT_MS = 30_000;

/**
 * Thrown when a callback of a run failed. The run itself completed, and its results are stored.
 *
 * The code is `callback-failed`, `path` names the option, and `cause` is the error that the callback threw.
 */
export class CallbackError extends ScenarioError {
  readonly report: RunReport;

  constructor(name: string, error: unknown, report: RunReport) {
    super(`Cannot notify ${name} of the run: it failed: ${thrownWords(error)}`, {
      code: "callback-failed",
      path: name.split("."),
      hint: `Fix ${name}; the run is complete, and the error's report has its results`,
      cause: error,
    });
    this.report = report;
  }
}

/** Wraps listeners so that they never throw; the guard collects their errors. */
export function guardedRunListeners(listeners: RunListeners, { wrap }: CallbackGuard): RunListeners {
  const { onResult, onProgress, onToken, onMessage, onTool, onRetry } = listeners;
  return {
    ...(onResult ? { onResult: wrap("onResult", onResult) } : {}),
    ...(onProgress ? { onProgress: wrap("onProgress", onProgress) } : {}),
    ...(onToken ? { onToken: wrap("onToken", onToken) } : {}),
    ...(onMessage ? { onMessage: wrap("onMessage", onMessage) } : {}),
    ...(onTool ? { onTool: wrap("onTool", onTool) } : {}),
    ...(onRetry ? { onRetry: wrap("onRetry", onRetry) } : {}),
  };
}

/**
 * Wraps a run's clock. If it fails during the run, the system clock replaces it and the failure is recorded.
 *
 * @throws {ScenarioError} `callback-return` when it fails before the run starts.
 */
export function guardedClock(now: (() => Date) | undefined, guard: CallbackGuard): () => Date {
  if (!now) return () => new Date();
  let begun = false;
  return () => {
    try {
      const time: unknown = now();
      if (!isTime(time)) throw noTime(time);
      begun = true;
      return time;
    } catch (thrown) {
      const error = readableError(thrown);
      if (!begun) throw error instanceof ScenarioError ? error : clockFailed(error);
      guard.fail("clock.now", error);
      return new Date();
    }
  };
}

/**
 * Waits for the promises that callbacks returned and throws the first failure.
 *
 * @throws {CallbackError} When a callback failed.
 */
export async function settleCallbacks(
  guard: CallbackGuard,
  report: RunReport,
  { timeoutMs, timers }: { readonly timeoutMs: number; readonly timers: Clock | undefined },
): Promise<void> {
  await guard.settle(Math.min(timeoutMs, LONGEST_WAIT_MS), timers);
  const failure = guard.takeFailure();
  if (failure) throw new CallbackError(failure.name, failure.error, report);
}

function noTime(time: unknown): ScenarioError {
  dropPromise(time);
  const state = time instanceof Date ? "a Date without a time" : shown(time);
  return new ScenarioError(`Cannot run scenarios: now() returned ${state}`, {
    code: "callback-return",
    path: ["clock", "now"],
    hint: "Return a Date, such as new Date()",
  });
}

function clockFailed(error: unknown): ScenarioError {
  return new ScenarioError(`Cannot run scenarios: now() failed: ${thrownWords(error)}`, {
    code: "callback-failed",
    path: ["clock", "now"],
    hint: "Fix now(), or leave it out",
    cause: error,
  });
}
