import { setMaxListeners } from "node:events";
import type { Queue, QueueEvents } from "bullmq";
import { ScenarioError } from "../../base/errors.ts";
import { redact } from "../../base/redaction/mod.ts";
import { type Clock, defined, isRecord, jsonOrText, thrownWords } from "../../base/values/mod.ts";
import type { CallFeed, QueuedEnd, QueuedRun } from "../runner/mod.ts";
import { CANCEL, type CallJob, type CallJobResult, jobId } from "./call_job.ts";
import { answered, unavailable } from "./connection.ts";

/** How often a call is given to a worker that fails to run it, for example because the database is unavailable. */
const ATTEMPTS = 3;

/** How long a stopping run waits for workers to cancel their calls. */
const CANCEL_MS = 15_000;

/** Time limit for removing a call from the queue, or telling its worker to cancel it. */
const ANSWER_MS = 10_000;

/** Number of calls whose state is polled at a time, in case an event was missed. */
const CHECKED_AT_ONCE = 100;

/** The inputs of feeding a run. */
export interface FeedOptions {
  readonly queue: Queue<CallJob, CallJobResult>;
  readonly events: QueueEvents;
  readonly run: QueuedRun;
  readonly workerTimeoutMs: number;
  readonly onWarning: (warning: string) => void;
  readonly timers: Clock;
}

interface Pending {
  readonly job: CallJob;
  readonly settle: (end: QueuedEnd) => void;
  readonly fail: (error: unknown) => void;
  readonly onStart: () => void;
  /** Resolves when Redis has accepted the call. */
  added: Promise<void>;
  started: boolean;
}

/**
 * Queues the calls of one run. Events report how they end; if an event was missed, polling finds the state.
 *
 * It is not in the file of `openQueue()`, whose declarations have to compile without BullMQ.
 */
export function createFeed({ queue, events, run, workerTimeoutMs, onWarning, timers }: FeedOptions): CallFeed {
  const { runId, settings, variables, signal } = run;
  const pending = new Map<string, Pending>();
  const over = new AbortController();
  setMaxListeners(0, over.signal); // one for each removal
  const removals = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const end = (id: string, how: QueuedEnd) => pending.get(id)?.settle(how);
  const ended = (id: string, value: unknown) => {
    const given = jsonOrText(value);
    if (isRecord(given) && typeof given.resultId === "string") end(id, { kind: "stored", resultId: given.resultId });
    else pending.get(id)?.fail(notRun("its worker does not say which result it stored"));
  };
  const failed = (id: string, reason: string) => pending.get(id)?.fail(notRun(reason));
  const within = async <Answer>(answer: Promise<Answer>) =>
    await answered(answer, { limitMs: ANSWER_MS, signal: over.signal, timers });
  /** Removes a call from the queue. BullMQ also returns 1 for a call that Redis does not have yet. */
  const take = async (id: string) => {
    const added = pending.get(id)?.added.catch(() => {}) ?? Promise.resolve();
    return await within(added.then(() => queue.remove(id))); // Redis removes it after the limit too, when it is back
  };
  /** Remembers a removal that no call waits for. */
  const keep = (removal: Promise<unknown>) => {
    const kept = removal.then(
      () => {},
      (error: unknown) => void failures.push(error),
    );
    removals.add(kept);
    kept.then(() => removals.delete(kept));
  };
  const failAll = (error: ScenarioError) => {
    for (const [id, { fail }] of pending) {
      keep(take(id)); // a worker that starts later must not run it
      fail(error);
    }
  };

  const add = async (id: string, job: CallJob) => {
    await queue.add("call", job, {
      jobId: id,
      attempts: ATTEMPTS,
      backoff: { type: "exponential", delay: 1_000 },
      removeOnComplete: { age: 3_600 },
      removeOnFail: { age: 3_600 },
    });
  };
  const again = async (id: string) => {
    const waiting = pending.get(id);
    if (!waiting || signal.aborted) return;
    waiting.added = add(id, waiting.job);
    await waiting.added;
  };
  /** Settles a call whose event was missed, and queues a call again if Redis lost it. */
  const check = async (id: string) => {
    if (!pending.has(id)) return;
    const job = await queue.getJob(id);
    if (!job) return await again(id);
    const state = await job.getState();
    if (state === "completed") ended(id, job.returnvalue);
    if (state === "failed") failed(id, job.failedReason);
  };
  /** A failed job of an earlier process is queued again; a completed one counts. */
  const takeOver = async (id: string) => {
    const job = await queue.getJob(id);
    if (!job || (await job.getState()) !== "failed") return await check(id);
    await job.remove();
    await again(id);
  };

  const listeners = {
    active: ({ jobId: id }: { jobId: string }) => start(pending.get(id)),
    completed: ({ jobId: id, returnvalue }: { jobId: string; returnvalue: unknown }) => ended(id, returnvalue),
    failed: ({ jobId: id, failedReason }: { jobId: string; failedReason: string }) => failed(id, failedReason),
    duplicated: ({ jobId: id }: { jobId: string }) => void takeOver(id).catch(() => {}), // checked again later
  };
  events.on("active", listeners.active);
  events.on("completed", listeners.completed);
  events.on("failed", listeners.failed);
  events.on("duplicated", listeners.duplicated);

  const cancel = async (id: string) => {
    if ((await take(id)) === 1) return end(id, { kind: "cancelled" });
    await within(queue.getJob(id).then((job) => job?.updateProgress(CANCEL))); // its worker listens
  };
  let callOff = () => {};
  const cancelAll = () => {
    for (const id of pending.keys()) keep(cancel(id));
    callOff = timers.after(CANCEL_MS, () => {
      for (const id of pending.keys()) end(id, { kind: "cancelled" });
    });
  };
  signal.addEventListener("abort", cancelAll, { once: true });

  const watch = watchQueue({
    queue,
    timers,
    workerTimeoutMs,
    onWarning,
    isWaiting: () => pending.size > 0,
    failAll,
    check: async () => {
      const oldest = [...pending.keys()].slice(0, CHECKED_AT_ONCE);
      for (const id of oldest) {
        await check(id);
        const still = pending.get(id);
        if (still && pending.delete(id)) pending.set(id, still); // the next poll starts with others
      }
    },
  });
  return {
    runCall: ({ slot, ...call }, onStart) => {
      const id = jobId(runId, slot);
      const job: CallJob = { runId, slot, settings, ...call, ...defined({ variables }) };
      return new Promise<QueuedEnd>((resolve, reject) => {
        const over = <Value>(settle: (value: Value) => void) => {
          return (value: Value) => {
            if (pending.delete(id)) settle(value);
          };
        };
        const added = add(id, job);
        pending.set(id, { job, settle: over(resolve), fail: over(reject), onStart, added, started: false });
        added.catch(() => pending.get(id)?.fail(unavailable("it did not accept a call")));
      });
    },
    drop: (scenario) => {
      for (const [id, { job, started }] of pending) {
        if (started || job.slot.scenario !== scenario) continue;
        const removed = take(id).then((count) => count === 1 && end(id, { kind: "dropped" }));
        removed.catch(() => {}); // it is running, and counted
      }
    },
    close: async () => {
      watch.stop();
      callOff();
      signal.removeEventListener("abort", cancelAll);
      for (const [name, listener] of Object.entries(listeners)) events.removeListener(name, listener);
      failAll(notRun("the run is over"));
      await Promise.all(removals);
      over.abort();
      if (failures.length > 0) onWarning(leftWords(failures));
    },
  };
}

function start(waiting: Pending | undefined): void {
  if (!waiting || waiting.started) return;
  waiting.started = true;
  waiting.onStart();
}

function leftWords({ length, 0: first }: readonly unknown[]): string {
  const calls = length === 1 ? "1 call" : `${length} calls`;
  return `Workers may still run ${calls} of this run: ${redact(thrownWords(first))}`;
}

function notRun(reason: string): ScenarioError {
  return new ScenarioError(`Cannot run a queued call: ${reason || "its worker failed"}`, {
    code: "queue-failed",
    path: ["queue"],
    hint: "Check the output of the workers",
  });
}

/** Polling interval of a queue. */
const TICK_MS = 2_000;

/** Time without a worker until the warning. */
const WARN_MS = 10_000;

/** How long Redis may be unreachable during a run. */
const AWAY_MS = 60_000;

/** The inputs of watching a queue. */
export interface WatchOptions {
  readonly queue: { readonly getWorkersCount: () => Promise<number> };
  readonly timers: Clock;
  readonly workerTimeoutMs: number;
  readonly onWarning: (warning: string) => void;
  /** Whether calls are waiting or running. */
  readonly isWaiting: () => boolean;
  readonly failAll: (error: ScenarioError) => void;
  /** Looks for calls whose end event was missed. */
  readonly check: () => Promise<void>;
}

/** Watches a queue, so that a run never waits forever for a worker or for Redis. */
export function watchQueue(options: WatchOptions): { readonly stop: () => void } {
  const { queue, timers, workerTimeoutMs, onWarning, isWaiting, failAll, check } = options;
  const now = timers.now();
  const last = { redis: now, worker: now };
  let isTold = false;
  let isBusy = false;
  let callOff = () => {};

  const look = async () => {
    const workers = await queue.getWorkersCount(); // waits while Redis is unreachable
    last.redis = timers.now();
    if (workers > 0) last.worker = last.redis;
    await check();
  };
  const tick = () => {
    callOff = timers.after(TICK_MS, tick);
    const time = timers.now();
    if (!isWaiting()) Object.assign(last, { redis: time, worker: time });
    if (time - last.redis >= AWAY_MS) failAll(unavailable(`it did not answer for ${AWAY_MS / 1_000} s`));
    const idle = time - last.worker;
    if (idle >= workerTimeoutMs) failAll(withoutWorker(workerTimeoutMs));
    else if (idle >= WARN_MS && !isTold) {
      isTold = true;
      onWarning("No worker takes calls from the queue; start one with callweave worker");
    }
    if (isBusy) return;
    isBusy = true;
    look()
      .catch(() => {}) // Redis is unreachable; the limit above applies
      .finally(() => {
        isBusy = false;
      });
  };
  callOff = timers.after(TICK_MS, tick);
  return { stop: () => callOff() };
}

function withoutWorker(limitMs: number): ScenarioError {
  return new ScenarioError(`Cannot run a queued call: there was no worker for ${limitMs / 1_000} s`, {
    code: "queue-failed",
    path: ["queue"],
    hint: "Start a worker: callweave worker --queue URL --db URL",
  });
}
