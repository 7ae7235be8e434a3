import { ScenarioError } from "../../base/errors.ts";
import type { Clock } from "../../base/values/mod.ts";
import { unavailable } from "./connection.ts";

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
