import { dirname } from "node:path";
import type { Client, InStatement, ResultSet, Transaction } from "@libsql/client";
import pLimit from "p-limit";
import { type ErrorCode, StoreError } from "../errors.ts";
import { makeFolder } from "../files/mod.ts";
import { CLOSED, isBusy, isUnreachable, storeError, TimeoutError } from "./_errors.ts";
import type { Location } from "./_location.ts";

// libSQL's file client works synchronously: a wait inside it stops the whole process, so that long waits are done here.
// Not all of them, as a wait that is given up there costs a connection: see #renew().
const BUSY_TIMEOUT_MS = 500;
const LONGEST_PAUSE_MS = 250;
// Calls on the way to a server at a time; a file is written by one at a time in any case.
const REMOTE_CONCURRENCY = 16;
const UNREACHABLE_TRIES = 4;

/** How one piece of work on a database is waited for. */
export interface Work {
  /** For messages: "Cannot <action> …". */
  readonly action: string;
  readonly signal?: AbortSignal | undefined;
  /** Default: `store-failed`. */
  readonly code?: ErrorCode;
  /** How often a server that cannot be reached is tried. Default: 4. */
  readonly tries?: number;
}

/**
 * A connection on which every wait is bounded. Work that another process was in the way of is done again until the
 * time is up; so is, a few times, work whose answer did not come. It must therefore be safe to do twice.
 */
export class Database {
  readonly location: Location;
  readonly #client: Client;
  readonly #timeoutMs: number;
  readonly #pending = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;
  readonly #limit: ReturnType<typeof pLimit>;

  constructor(client: Client, location: Location, timeoutMs: number) {
    this.#client = client;
    this.location = location;
    this.#timeoutMs = timeoutMs;
    this.#limit = pLimit(location.kind === "file" || location.kind === "memory" ? 1 : REMOTE_CONCURRENCY);
  }

  /** Runs one statement that reads. */
  async read(statement: InStatement, work: Work): Promise<ResultSet> {
    return await this.#perform(work, () => this.#client.execute(statement));
  }

  /** Runs statements in one transaction that writes: all of them, or none. */
  async write(statements: InStatement[], work: Work): Promise<ResultSet[]> {
    return await this.#perform(work, () => this.#client.batch(statements, "write"));
  }

  /** Runs work that reads before it writes, alone on the database. */
  async alone(work: Work, body: (transaction: Transaction) => Promise<void>): Promise<void> {
    await this.#perform(work, async () => {
      const transaction = await this.#client.transaction("write");
      try {
        await body(transaction);
        await transaction.commit();
      } finally {
        transaction.close();
      }
    });
  }

  /** Refuses new work, waits for what was asked for before, and lets go. */
  async close(): Promise<void> {
    this.#closing ??= this.#close();
    await this.#closing;
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#pending); // bounded, each by its own limit
    if (this.location.kind === "file") {
      // The client lets go of the file only when the process ends, or not even then; without this, a copy of the file
      // alone would lack what was written last. Another process that is reading or writing does it later.
      await this.#client.execute("PRAGMA wal_checkpoint(TRUNCATE)").catch(() => {});
    }
    if (!this.#client.closed) this.#client.close();
  }

  async #perform<Result>(work: Work, attempt: () => Promise<Result>): Promise<Result> {
    const task = this.#bounded(work, attempt);
    this.#pending.add(task);
    try {
      return await task;
    } finally {
      this.#pending.delete(task);
    }
  }

  /**
   * libSQL's file client leaves the statement that gave up waiting unfinished until its memory is collected, and until
   * then a connection refuses every commit ("SQL statements in progress"). Another connection does not.
   */
  async #renew(): Promise<void> {
    if (this.location.kind === "file") await this.#client.reconnect();
  }

  async #bounded<Result>(work: Work, attempt: () => Promise<Result>): Promise<Result> {
    const { location } = this;
    const deadline = Date.now() + this.#timeoutMs;
    const over = new AbortController();
    const tries = work.tries ?? UNREACHABLE_TRIES;
    try {
      if (this.#closing) throw Object.assign(new Error("the store was closed"), { code: CLOSED });
      return await bounded(
        this.#limit(() => retried(attempt, { renew: () => this.#renew(), deadline, tries, over: over.signal })),
        { timeoutMs: this.#timeoutMs, signal: work.signal },
      );
    } catch (error) {
      if (work.signal?.aborted && error === work.signal.reason) throw aborted(work.action, location, error);
      throw storeError(work.action, error, { location, code: work.code ?? "store-failed" });
    } finally {
      over.abort(); // what still waits for its turn, or between two tries, must not be done after the answer was given
    }
  }
}

/**
 * Loads the client that a location needs and connects.
 *
 * @throws {StoreError} `store-unavailable`.
 */
export async function connect(location: Location, timeoutMs: number): Promise<Database> {
  try {
    return new Database(await createClient(location, timeoutMs), location, timeoutMs);
  } catch (error) {
    throw storeError("open results database", error, { location, code: "store-unavailable" });
  }
}

async function createClient(location: Location, timeoutMs: number): Promise<Client> {
  const { kind, url, authToken } = location;
  const config = authToken === undefined ? { url } : { url, authToken };
  switch (kind) {
    case "file": {
      if (location.file !== undefined) await makeFolder(dirname(location.file));
      return (await import("@libsql/client/sqlite3")).createClient({ url, timeout: BUSY_TIMEOUT_MS });
    }
    case "memory":
      return (await import("@libsql/client/sqlite3")).createClient({ url });
    case "http": {
      const { createClient } = await import("@libsql/client/http");
      // Without a limit of its own, a request that nobody waits for any more would keep the process alive.
      const boundedFetch = (request: Request) => fetch(request, { signal: AbortSignal.timeout(timeoutMs) });
      return createClient({ ...config, fetch: boundedFetch });
    }
    case "ws":
      return (await import("@libsql/client/ws")).createClient(config);
  }
}

interface Retries {
  /** When it is too late to try again, as `Date.now()` counts. */
  readonly deadline: number;
  /** How often a server that cannot be reached is tried. */
  readonly tries: number;
  /** Aborted when nobody waits any more. */
  readonly over: AbortSignal;
  /** Called after a try that another process was in the way of. */
  readonly renew: () => Promise<void>;
}

async function retried<Result>(
  attempt: () => Promise<Result>,
  { deadline, tries, over, renew }: Retries,
): Promise<Result> {
  for (let tried = 1; ; tried++) {
    over.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      if (isBusy(error)) await renew();
      const again = isBusy(error) || (isUnreachable(error) && tried < tries);
      // Random, so that processes that met do not meet again.
      const pauseMs = Math.random() * Math.min(LONGEST_PAUSE_MS, 10 * 2 ** Math.min(tried, 10));
      if (!again || Date.now() + pauseMs >= deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

/** Waits for work, but no longer than the limit and not after the signal; the work itself may go on. */
async function bounded<Result>(
  work: Promise<Result>,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal | undefined },
): Promise<Result> {
  const { promise: cut, reject } = withResolvers();
  const stop = () => reject(signal?.reason);
  const timer = setTimeout(() => reject(new TimeoutError(`no answer came within ${timeoutMs} ms`)), timeoutMs);
  signal?.addEventListener("abort", stop);
  if (signal?.aborted) stop();
  work.catch(() => {}); // its failure after the cut is nobody's business any more
  try {
    return await Promise.race([work, cut]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

/** `Promise.withResolvers`, which Node 20 lacks; only ever rejected. */
function withResolvers(): { readonly promise: Promise<never>; readonly reject: (reason: unknown) => void } {
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<never>((_, rejectPromise) => {
    reject = rejectPromise;
  });
  promise.catch(() => {});
  return { promise, reject };
}

function aborted(action: string, { shown }: Location, cause: unknown): StoreError {
  return new StoreError(`Cannot ${action} "${shown}": it was aborted`, {
    code: "aborted",
    hint: "Do not abort the signal before the store has answered",
    cause,
  });
}
