import { ScenarioError } from "../../base/errors.ts";
import { checkOptions, OPTION, type OptionRules, SYSTEM_CLOCK } from "../../base/values/mod.ts";
import type { CallQueue } from "../runner/mod.ts";
import type { CallJob, CallJobResult } from "./call_job.ts";
import {
  closeConnections,
  connected,
  connectionOf,
  loadBullmq,
  QUEUE,
  reachRedis,
  warnOfErrors,
} from "./connection.ts";
import { createFeed } from "./feed.ts";

/** A problem outside of calls, as a sentence. */
export interface WarningEvent {
  readonly warning: string;
}

/** Options of {@link openQueue}. */
export interface QueueOptions {
  /** Time after which a run without any worker fails, in milliseconds. Default: 600,000. */
  readonly workerTimeoutMs?: number;
  /** Called when there is no worker, and when the connection to Redis is lost. */
  readonly onWarning?: (event: WarningEvent) => void;
  /** Aborts connecting to Redis, which takes at most 10 s. */
  readonly signal?: AbortSignal;
}

/** A queue of calls in Redis. */
export interface OpenQueue extends CallQueue, AsyncDisposable {
  readonly close: () => Promise<void>;
}

const QUEUE_OPTIONS = {
  workerTimeoutMs: OPTION.milliseconds,
  onWarning: OPTION.function,
  signal: OPTION.signal,
} satisfies { readonly [Name in keyof Required<QueueOptions>]: OptionRules[string] };

/** Default of `workerTimeoutMs`. */
const DEFAULT_WORKER_TIMEOUT_MS = 600_000;

/**
 * Opens the queue that workers take calls from, for the option `share.queue` of `run()`. It is a queue of BullMQ; the packages
 * `bullmq` and `ioredis` must be installed.
 *
 * @param url URL of the Redis: `redis://HOST:PORT`, `rediss://…` or `unix:///PATH`.
 * @throws {ScenarioError} `missing-package`, `invalid-option`, `queue-unavailable`, `aborted`.
 */
export async function openQueue(url: string, options: QueueOptions = {}): Promise<OpenQueue> {
  const connection = connectionOf(url);
  checkOptions(options, QUEUE_OPTIONS, ScenarioError, "Cannot open a queue");
  const { workerTimeoutMs = DEFAULT_WORKER_TIMEOUT_MS, signal } = options;
  const onWarning = (warning: string) => options.onWarning?.({ warning });
  const timers = SYSTEM_CLOCK;
  const { Queue, QueueEvents } = await loadBullmq();
  const warn = warnOfErrors(onWarning);
  await reachRedis(connection, { timers, signal, onError: warn });
  const queue = new Queue<CallJob, CallJobResult>(QUEUE, { connection });
  const events = new QueueEvents(QUEUE, { connection });
  const close = async () => await closeConnections([queue, events], { timers });
  queue.on("error", warn);
  events.on("error", () => {}); // the same as the queue's
  try {
    await connected(Promise.all([queue.waitUntilReady(), events.waitUntilReady()]), { timers, signal });
  } catch (error) {
    close().catch(() => {}); // takes time if Redis is unreachable
    throw error;
  }
  return {
    feed: async (run) => createFeed({ queue, events, run, workerTimeoutMs, onWarning, timers }),
    close,
    [Symbol.asyncDispose]: close,
  };
}
