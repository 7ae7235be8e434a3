import type { InStatement, Row } from "@libsql/client";
import { StoreError } from "../../base/errors.ts";
import { type Backoff, backoffMs, withRetries } from "../../base/values/mod.ts";
import {
  abortedError,
  closedError,
  isBusy,
  isRefused,
  type Location,
  storeError,
  type Timing,
} from "./database/mod.ts";
import type { ResultRecord } from "./records.ts";
import { batchLength } from "./rows/mod.ts";
import { LostDatabaseError, type RestorableDatabase, type ResultSpool } from "./spool/mod.ts";

/** Maximum number of results that wait in memory while the database does not answer. Further ones go to the spool directly. */
const MOST_WAITING = 1_000;
const FINISH = "finish run in";
/** Pauses between attempts, random so that processes do not collide again. */
const PAUSES: Backoff = { firstMs: 50, longestMs: 5_000, jitter: [0.5, 1] };
/** Those while the database is locked, because another process's write is short. */
const BUSY_PAUSES: Backoff = { ...PAUSES, longestMs: 250 };

/** Where a writer puts results: the database, and the spool while it is away. */
export interface WriterTarget {
  readonly database: Pick<RestorableDatabase, "tryToStore" | "tryToFinish" | "isLost">;
  readonly spool: Pick<ResultSpool, "take" | "takeRun">;
  readonly location: Location;
  readonly timing: Timing;
}

/** Statements that mark a run as finished. */
export interface RunEnd {
  readonly runId: string;
  /** Number of the part that is finished, when the run is split. */
  readonly part?: number | undefined;
  readonly at: string;
  /** The last one returns the run's row. */
  readonly statements: InStatement[];
  readonly signal?: AbortSignal | undefined;
}

interface Entry {
  readonly record: ResultRecord;
  /** Time when the result is spooled, by the store's clock. */
  readonly deadline: number;
  /** Takes the stored record. */
  readonly resolve: (stored: ResultRecord) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Queues results and writes them in order, many per transaction, one transaction at a time. While the database does not
 * accept them, it retries with growing pauses. A result whose time limit passes is spooled.
 */
export class ResultWriter {
  readonly #target: WriterTarget;
  readonly #queue: Entry[] = [];
  readonly #spooling = new Set<Entry>();
  readonly #waiting = new Set<() => void>();
  /** Number of queued entries in the current transaction. */
  #inFlight = 0;
  /** Number of queued entries to write one by one, because one of them was rejected. */
  #alone = 0;
  #working = false;
  #closed = false;
  #failed = 0;
  /** Whether the last attempt failed because another process had locked the database. */
  #isLocked = false;
  /** Time of the last transaction that succeeded. */
  #wroteAt = Number.NEGATIVE_INFINITY;

  constructor(target: WriterTarget) {
    this.#target = target;
  }

  /**
   * Resolves when the result is in the database, or another one of the same run, scenario, trial and attempt is.
   *
   * @throws {StoreError} `result-spooled` when it is in the spool instead; `unknown-run`, `store-failed` or `aborted`
   *   when it is not stored.
   */
  async add(record: ResultRecord, signal: AbortSignal | undefined): Promise<ResultRecord> {
    const { clock, timeoutMs } = this.#target.timing;
    const deadline = clock.now() + timeoutMs;
    let stop = () => {};
    try {
      return await new Promise((resolve, reject) => {
        const entry: Entry = { record, deadline, resolve, reject };
        stop = () => this.#withdraw(entry, signal?.reason);
        signal?.addEventListener("abort", stop);
        if (this.#closed) reject(this.#failure(closedError()));
        else if (signal?.aborted) stop();
        else this.#take(entry);
      });
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  }

  /** Rejects new results and waits until the queue is empty. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.drained();
  }

  /** Waits until the queue has no results of a run, or until it is empty if no run is given. */
  async drained(runId?: string): Promise<void> {
    const isOfRun = ({ record }: Entry) => runId === undefined || record.runId === runId;
    while (this.#queue.some(isOfRun) || [...this.#spooling].some(isOfRun))
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  /**
   * Marks a run as finished after its results are written. Retries until the time limit, or tries once when the
   * database failed a moment ago, so that callers do not wait twice.
   *
   * @returns The run's row; `undefined` if it does not exist.
   * @throws {StoreError} `result-spooled`, `store-failed`, `aborted`.
   */
  async finish({ runId, part, at, statements, signal }: RunEnd): Promise<Row | undefined> {
    const { timing, database, spool } = this.#target;
    const { clock, timeoutMs } = timing;
    await this.drained(runId);
    if (this.#closed) throw this.#failure(closedError(), FINISH);
    const deadline = clock.now() + (this.#failed > 0 ? 0 : timeoutMs);
    if (signal?.aborted) throw this.#aborted(signal.reason, FINISH);
    try {
      const rows = await withRetries(() => database.tryToFinish(runId, statements), {
        mayPass: (error, failed) => isJustLost(error, failed) || (!isRefused(error) && clock.now() < deadline),
        pauseMs: (error, failed) => (isJustLost(error, failed) ? undefined : backoffMs(pausesAfter(error), failed)),
        clock,
        signal,
      });
      return rows[0];
    } catch (error) {
      if (signal?.aborted && error === signal.reason) throw this.#aborted(error, FINISH);
      throw await spool.takeRun(runId, { at, part, everything: database.isLost }, this.#failure(error, FINISH));
    }
  }

  #take(entry: Entry): void {
    if (this.#failed > 0 && !this.#isLocked && this.#queue.length >= MOST_WAITING) {
      void this.#spool([entry], new Error(`${MOST_WAITING} results are already waiting`));
      return;
    }
    this.#queue.push(entry);
    void this.#work();
  }

  #withdraw(entry: Entry, reason: unknown): void {
    const index = this.#queue.indexOf(entry);
    if (index >= this.#inFlight) this.#queue.splice(index, 1);
    entry.reject(this.#aborted(reason));
    this.#tellWaiting();
  }

  async #work(): Promise<void> {
    if (this.#working) return;
    this.#working = true;
    while (this.#queue.length > 0) await this.#writeBatch();
    this.#working = false;
  }

  async #writeBatch(): Promise<void> {
    const candidates = this.#queue.slice(0, this.#alone > 0 ? 1 : undefined);
    const batch = candidates.slice(0, batchLength(candidates.map(({ record }) => record)));
    this.#inFlight = batch.length;
    try {
      const missing = await this.#target.database.tryToStore(batch.map(({ record }) => record));
      this.#failed = 0;
      this.#wroteAt = this.#target.timing.clock.now();
      this.#remove(batch);
      for (const { record, resolve, reject } of batch)
        if (!missing.has(record.id)) resolve(record);
        else {
          const taken = missing.get(record.id);
          if (taken) resolve(taken);
          else reject(this.#unknownRun(record.runId));
        }
    } catch (error) {
      if (!isRefused(error)) await this.#tryLater(error);
      else if (batch.length > 1) this.#alone = batch.length;
      else await this.#spool(batch, error);
    } finally {
      this.#inFlight = 0;
      this.#tellWaiting();
    }
  }

  /**
   * Pauses, and spools entries whose time limit has passed. If other processes write to the same file, the time limit
   * counts from the last success: a database that accepts results from time to time is not away.
   */
  async #tryLater(error: unknown): Promise<void> {
    const { clock, timeoutMs } = this.#target.timing;
    this.#inFlight = 0;
    this.#failed++;
    this.#isLocked = isBusy(error);
    const now = clock.now();
    const most = this.#isLocked ? Number.POSITIVE_INFINITY : MOST_WAITING;
    const earliest = this.#isLocked ? this.#wroteAt + timeoutMs : 0;
    const endOf = ({ deadline }: Entry) => Math.max(deadline, earliest);
    const expired = this.#queue.filter((entry, index) => endOf(entry) <= now || index >= most);
    if (expired.length > 0) await this.#spool(expired, error);
    const [first] = this.#queue;
    if (!first || isJustLost(error, this.#failed)) return;
    const pauseMs = Math.min(backoffMs(pausesAfter(error), this.#failed), endOf(first) - now);
    await clock.pause(Math.max(0, pauseMs), new AbortController().signal);
  }

  async #spool(entries: readonly Entry[], error: unknown): Promise<void> {
    for (const entry of entries) this.#spooling.add(entry);
    this.#remove(entries);
    const outcome = await this.#target.spool.take(
      entries.map(({ record }) => record),
      this.#failure(error),
    );
    for (const entry of entries) {
      this.#spooling.delete(entry);
      entry.reject(outcome);
    }
    this.#tellWaiting();
  }

  #remove(entries: readonly Entry[]): void {
    const gone = new Set(entries);
    const left = this.#queue.filter((entry) => !gone.has(entry));
    this.#alone = Math.max(0, this.#alone - (this.#queue.length - left.length));
    this.#queue.splice(0, this.#queue.length, ...left);
  }

  #tellWaiting(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  #failure(error: unknown, action = "store result in"): StoreError {
    return storeError(action, error, { location: this.#target.location, code: "store-failed" });
  }

  #aborted(reason: unknown, action = "store result in"): StoreError {
    return abortedError(action, this.#target.location, reason);
  }

  #unknownRun(runId: string): StoreError {
    return new StoreError(`Cannot store result: run "${runId}" does not exist in "${this.#target.location.shown}"`, {
      code: "unknown-run",
      hint: "Pass the id that startRun() returned",
    });
  }
}

/** Whether the database has just been found lost: the next attempt restores it. */
function isJustLost(error: unknown, failed: number): boolean {
  return error instanceof LostDatabaseError && failed === 1;
}

function pausesAfter(error: unknown): Backoff {
  return isBusy(error) ? BUSY_PAUSES : PAUSES;
}
