import { isCallweaveError, ScenarioError } from "../../base/errors.ts";
import { redact } from "../../base/redaction/mod.ts";
import {
  checkOptions,
  isRecord,
  OPTION,
  type OptionRules,
  recordAt,
  rule,
  SYSTEM_CLOCK,
  wordsWithHint,
} from "../../base/values/mod.ts";
import { startTelemetry } from "../../call/telemetry/mod.ts";
import type { AgentGraph } from "../../document/graph/mod.ts";
import { parseScenarios, type ScenarioSource, toScenarios } from "../../document/scenario/mod.ts";
import type { ResultEvent, RunOptions, RunRequestOptions } from "../runner/mod.ts";
import { openStore, type Store } from "../store/mod.ts";
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
import { createJobRunner } from "./run_job.ts";

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
