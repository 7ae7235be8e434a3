import { isCallweaveError, ScenarioError } from "../../base/errors.ts";
import { redact } from "../../base/redaction/mod.ts";
import {
  checkOptions,
  defined,
  isRecord,
  OPTION,
  type OptionRules,
  recordAt,
  rule,
  SYSTEM_CLOCK,
  thrownWords,
  wordsWithHint,
} from "../../base/values/mod.ts";
import { startTelemetry, type Telemetry } from "../../call/telemetry/mod.ts";
import { type AgentGraph, attachDefinition, fingerprint, parseGraph } from "../../document/graph/mod.ts";
import {
  CHECKS,
  parseScenarios,
  type Scenario,
  type ScenarioSource,
  toScenarios,
} from "../../document/scenario/mod.ts";
import {
  cancelledResult,
  codeHash,
  createModelLoader,
  judgeKept,
  prepareRun,
  type ResultEvent,
  type RunOptions,
  type RunRequestOptions,
  runAttempt,
  sharedLimits,
} from "../runner/mod.ts";
import { type NewResult, openStore, type ResultRecord, type Store, type StoredRun } from "../store/mod.ts";
import { type CallJob, type CallJobResult, parseCallJob } from "./call_job.ts";
import {
  CONNECT_MS,
  closeConnections,
  connected,
  connectionOf,
  loadBullmq,
  QUEUE,
  reachRedis,
  warnOfErrors,
} from "./connection.ts";
import type { WarningEvent } from "./open_queue.ts";

/** Options of {@link startWorker}. */
export interface WorkerOptions {
  /** The database of the runs: an open store (it is not closed), or a path or URL. Default: the default store. */
  readonly store?: Store | string;
  /** The agent, for calls that need its code: tools with `execute`, and checks of scenarios. */
  readonly graph?: AgentGraph;
  /** The scenarios of the runs, for calls that need their checks. */
  readonly scenarios?: readonly ScenarioSource[];
  /** Version of the code, as in the options of the runs. Default: the texts of functions are compared with the run's. */
  readonly codeVersion?: string;
  /** Maximum number of concurrent calls. Default: 8. */
  readonly concurrency?: number;
  /** Maximum number of calls per minute, over all workers of the queue. Default: no limit. */
  readonly callsPerMinute?: number;
  /** Rate limits and middleware of this worker's requests to models. */
  readonly requests?: RunRequestOptions;
  readonly telemetry?: RunOptions["telemetry"];
  /** Time without a heartbeat after which a worker's calls go to others, in milliseconds. Default: 30,000. */
  readonly stalledMs?: number;
  /** Called after each call, with its stored result. */
  readonly onResult?: (event: ResultEvent) => void;
  /** Called with a sentence for each problem outside of calls. */
  readonly onWarning?: (event: WarningEvent) => void;
  /** Aborts connecting to Redis, which takes at most 10 s. `close()` stops a worker that has started. */
  readonly signal?: AbortSignal;
}

/** A process that takes calls from a queue. */
export interface CallWorker extends AsyncDisposable {
  /** Takes no more calls, waits for running ones, and closes what it has opened: within 10 s if Redis is unreachable. */
  readonly close: () => Promise<void>;
}

const WORKER_OPTIONS = {
  store: rule("a path, a URL or an open store", (value) => typeof value === "string" || isRecord(value)),
  graph: OPTION.object,
  scenarios: OPTION.list,
  codeVersion: OPTION.text,
  concurrency: OPTION.count,
  callsPerMinute: OPTION.count,
  requests: OPTION.object,
  telemetry: rule("true, or an object", (value) => typeof value === "boolean" || isRecord(value)),
  stalledMs: OPTION.milliseconds,
  onResult: OPTION.function,
  onWarning: OPTION.function,
  signal: OPTION.signal,
} satisfies { readonly [Name in keyof Required<WorkerOptions>]: OptionRules[string] };

const DEFAULT_CONCURRENCY = 8;
const DEFAULT_STALLED_MS = 30_000;
/** How often a call may lose its worker before it fails: a call that crashes its worker must not be retried forever. */
const MOST_LOST_WORKERS = 5;

/**
 * Starts a worker: it takes calls from the queue of runs with the option `queue`, runs them, and writes the results to
 * the database of the runs. API keys of models come from its own environment.
 *
 * @param url URL of the Redis, as for `openQueue()`.
 * @throws {ScenarioError} `missing-package`, `invalid-option`, `invalid-scenario`, `queue-unavailable`, `aborted`.
 * @throws {StoreError} When the store cannot be opened.
 */
export async function startWorker(url: string, options: WorkerOptions = {}): Promise<CallWorker> {
  const connection = connectionOf(url);
  checkOptions(options, WORKER_OPTIONS, ScenarioError, "Cannot start a worker");
  const { graph, scenarios = [], onResult = () => {}, onWarning = () => {}, stalledMs = DEFAULT_STALLED_MS } = options;
  const { Worker, QueueEvents, UnrecoverableError } = await loadBullmq();
  const sources = parseScenarios(toScenarios(scenarios));
  const waiting = { timers: SYSTEM_CLOCK, signal: options.signal };
  const tell = (warning: string) => onWarning({ warning });
  const warn = warnOfErrors(tell);
  await reachRedis(connection, { ...waiting, onError: warn });
  const telemetry = await startTelemetry(options.telemetry);
  const opened = typeof options.store === "object" ? undefined : await openStore(options.store);
  const store = typeof options.store === "object" ? options.store : opened;
  if (!store) throw new TypeError("unreachable: a store is open here");
  const runJob = createJobRunner({
    store,
    graph,
    scenarios: sources,
    codeVersion: options.codeVersion,
    requests: options.requests,
    telemetry,
    onNotice: tell,
  });
  const events = new QueueEvents(QUEUE, { connection });
  const work = new Set<Promise<unknown>>();
  const worker = new Worker<CallJob, CallJobResult>(
    QUEUE,
    // BullMQ creates a signal only for functions with three parameters
    async (job, _token, signal) => {
      try {
        const running = runJob(parseCallJob(job.data), signal ?? new AbortController().signal);
        work.add(running);
        const result = await running.finally(() => work.delete(running));
        onResult({ result, place: "stored" });
        return { resultId: result.id };
      } catch (error) {
        // errors that a second attempt cannot fix are not retried
        const isFinal = isCallweaveError(error) && ["unknown-run", "queue-failed"].includes(error.code);
        if (isFinal) throw new UnrecoverableError(workerErrorWords(error));
        throw new Error(workerErrorWords(error));
      }
    },
    {
      connection,
      concurrency: options.concurrency ?? DEFAULT_CONCURRENCY,
      lockDuration: stalledMs,
      stalledInterval: stalledMs,
      maxStalledCount: MOST_LOST_WORKERS,
      ...(options.callsPerMinute ? { limiter: { max: options.callsPerMinute, duration: 60_000 } } : {}),
    },
  );
  events.on("progress", ({ jobId, data }) => {
    if (isRecord(data) && data.cancel === true) worker.cancelJob(jobId, "the run was cancelled");
  });
  worker.on("error", warn);
  worker.on("failed", (job, error) => tell(`"${nameOf(job?.data)}" was not run: ${redact(error.message)}`));
  events.on("error", () => {}); // the same as the worker's
  const close = async () => {
    // the last results must reach the queue within the limit; otherwise another worker runs these calls again
    await closeConnections([worker, events], { timers: SYSTEM_CLOCK, limitMs: CONNECT_MS, work });
    await telemetry?.end().then((problem) => problem !== null && tell(`Spans are missing: ${problem}`));
    await opened?.close();
  };
  try {
    await connected(Promise.all([worker.waitUntilReady(), events.waitUntilReady()]), waiting);
  } catch (error) {
    worker.close(true).catch(() => {}); // may wait for an unreachable Redis
    events.close().catch(() => {});
    await opened?.close();
    throw error;
  }
  return { close, [Symbol.asyncDispose]: close };
}

/** The scenario of a job, which may be anything. */
function nameOf(data: unknown): string {
  return String(recordAt(isRecord(data) ? data : {}, "slot").scenario);
}

function workerErrorWords(error: unknown): string {
  return redact(wordsWithHint(error));
}

/** The dependencies of a worker. */
export interface JobRunnerOptions {
  readonly store: Store;
  /** The agent's own module; absent: graphs come from the database. */
  readonly graph?: AgentGraph | undefined;
  readonly scenarios: readonly Scenario[];
  /** Version of the worker's code; absent: the texts of its functions are compared with those of the run. */
  readonly codeVersion?: string | undefined;
  readonly requests?: RunRequestOptions | undefined;
  readonly telemetry?: Telemetry | undefined;
  /** Called once with each notice about a model. */
  readonly onNotice?: (notice: string) => void;
}

/** Number of runs whose graph is cached. */
const KEPT_RUNS = 8;

/** The run of a call, with its agent. */
interface JobRun {
  readonly run: StoredRun["run"];
  readonly graph: AgentGraph;
  /** Whether the graph is the worker's own, with its code. */
  readonly isOwn: boolean;
}

/**
 * Creates the function that runs the calls of a queue. A call with a stored result, for example of a worker that lost
 * its connection, does not run again.
 */
export function createJobRunner(
  options: JobRunnerOptions,
): (job: CallJob, signal: AbortSignal) => Promise<ResultRecord> {
  const { store, graph: own, scenarios, telemetry, codeVersion } = options;
  const limits = modelLimits(options.requests);
  const notices = new Set<string>();
  const loadModel = createModelLoader();
  const runs = new Map<string, Promise<JobRun>>();
  const load = async ({ runId, variables }: CallJob): Promise<JobRun> => {
    const run = await store.findRun(runId);
    if (own !== undefined && fingerprint(own) === run.graphFingerprint) return { run, isOwn: true, graph: own };
    const graph = parseGraph(await store.showGraph(runId));
    if (variables) attachDefinition(graph, { name: run.agent, variables, tools: {} });
    return { run, isOwn: false, graph };
  };
  const runOf = (job: CallJob): Promise<JobRun> => {
    const { runId } = job;
    const known = runs.get(runId) ?? load(job);
    runs.delete(runId);
    runs.set(runId, known);
    for (const old of [...runs.keys()].slice(0, -KEPT_RUNS)) runs.delete(old);
    known.catch(() => runs.delete(runId));
    return known;
  };

  const noticeOnce = (notice: string) => {
    if (notices.has(notice)) return;
    notices.add(notice);
    options.onNotice?.(notice);
  };
  const heldCall = async ({ runId, slot, isHeld = false }: CallJob) => {
    const calls = isHeld ? await store.unjudgedCalls(runId) : [];
    return calls.find(({ scenario, trial }) => scenario === slot.scenario && trial === slot.trial);
  };
  const runCall = async (job: CallJob, at: JobRun, signal: AbortSignal) => {
    const { slot, scenario, settings, needs } = job;
    const checks = scenarios.find(({ name }) => name === scenario.name)?.[CHECKS];
    checkNeeds(needs, at, checks !== undefined, own !== undefined);
    if (needs.length > 0) checkCode(at, scenarios, codeVersion);
    const { requests, ...rest }: RunOptions = settings;
    const prepared = await prepareRun(
      at.graph,
      [checks ? { ...scenario, [CHECKS]: checks } : scenario],
      {
        ...rest,
        requests: { ...requests, ...limits },
        signal,
      },
      { loadModel },
    );
    const [plan] = prepared.plans;
    if (!plan) throw new TypeError("unreachable: one scenario has one plan");
    const spans = telemetry && { telemetry, runId: at.run.id, agent: at.run.agent };
    const setup = { ...prepared.setup, ...(spans ? { spans } : {}) };
    try {
      const held = await heldCall(job);
      return await (held ? judgeKept(plan.resolved, setup, slot, held) : runAttempt(plan.resolved, setup, slot));
    } finally {
      prepared.over.abort();
      prepared.modelNotices().forEach(noticeOnce);
    }
  };
  return async (job, signal) => {
    const { runId, slot } = job;
    const at = await runOf(job);
    const stored = await store.listResults({ runId, scenario: slot.scenario, limit: Number.POSITIVE_INFINITY });
    const before = stored.find(({ trial, attempt = 1 }) => trial === slot.trial && attempt === slot.attempt);
    const storedResult = before && (await store.findResult(before.id));
    if (storedResult) return storedResult;
    const result = await runCall(job, at, signal).catch((error: unknown): NewResult => {
      const words = error instanceof ScenarioError ? `${error.message} (${error.hint})` : thrownWords(error);
      return { ...cancelledResult(slot, new Date()), status: "error", errorMessage: words };
    });
    return await store.addResult(runId, result);
  };
}

/** Refuses a call that needs code which this worker does not have. */
function checkNeeds(needs: readonly string[], { isOwn }: JobRun, hasChecks: boolean, hasSource: boolean): void {
  const missing = needs.filter((need) => (need.startsWith("check ") ? !hasChecks : !isOwn));
  if (missing.length === 0) return;
  const state = hasSource ? "the worker's module is another version" : "the worker was started without a SOURCE";
  throw new ScenarioError(`Cannot run a call that needs ${missing.join(", ")}: ${state}`, {
    code: "queue-failed",
    path: ["queue"],
    hint: "Start the worker with the module of the run: callweave worker flow.ts --queue URL",
  });
}

/** Refuses a call whose code is not that of the run: its verdict would be another one. */
function checkCode({ run, graph }: JobRun, scenarios: readonly Scenario[], codeVersion: string | undefined): void {
  const wanted = run.plan?.code;
  if (wanted === undefined) return;
  const names = (Array.isArray(run.plan?.scenarios) ? run.plan.scenarios : []).flatMap((each: unknown) =>
    Array.isArray(each) ? [each[0]] : [],
  );
  const planned = names.flatMap((name) => scenarios.find((each) => each.name === name) ?? []);
  const code = { graph, scenarios: planned };
  // a run without a code version has a hash of its functions
  const known = [
    codeHash({ ...code, options: { share: defined({ codeVersion }) } }),
    codeHash({ ...code, options: {} }),
  ];
  if (known.includes(String(wanted))) return;
  throw new ScenarioError("Cannot run a call with other code than that of the run: its checks or tools may differ", {
    code: "queue-failed",
    path: ["codeVersion"],
    hint: "Start the worker with the SOURCE and --scenarios of the run, unchanged, or with the run's codeVersion",
  });
}

/** Turns the rate limits of a worker into middleware that all of its calls share. */
function modelLimits({ maxParallel, perMinute, ...requests }: RunRequestOptions = {}): RunRequestOptions {
  if (maxParallel === undefined && perMinute === undefined) return requests;
  return { ...requests, within: [...(requests.within ?? []), sharedLimits({ maxParallel, perMinute }, undefined)] };
}
