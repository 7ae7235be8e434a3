import { dirname } from "node:path";
import type { Client, InStatement, InValue, ResultSet, Row, Transaction } from "@libsql/client";
import pLimit from "p-limit";
import { type ErrorCode, StoreError } from "../../../base/errors.ts";
import { makeFolder } from "../../../base/files/mod.ts";
import { type Backoff, backoffMs, type Clock, startTimeLimit, withRetries } from "../../../base/values/mod.ts";
import { createClient } from "./client.ts";
import { abortedError, closedError, isAway, isBusy, isTooLarge, storeError, TimeoutError } from "./errors.ts";
import { type FileIdentity, fileIdentity, type Location } from "./location.ts";

/** Pauses between attempts, random so that processes do not collide again. */
const PAUSES: Backoff = { firstMs: 20, longestMs: 250, jitter: [0, 1] };
/** Concurrent reads from a server. A file is always used by one call at a time. */
const REMOTE_READS = 16;
const UNREACHABLE_TRIES = 4;

/** Options of one database operation. */
export interface Work {
  /** Verb phrase for error messages: "Cannot <action> …". */
  readonly action: string;
  readonly signal?: AbortSignal | undefined;
  /** Default: `store-failed`. */
  readonly code?: ErrorCode;
  /** Number of attempts when a server cannot be reached. Default: 4. */
  readonly tries?: number;
}

/** Time limits of a database in milliseconds, and the clock that measures them. */
export interface Timing {
  /** Limit of one call, including its retries. */
  readonly timeoutMs: number;
  /** Limit of one request that writes to a server. */
  readonly requestTimeoutMs: number;
  readonly clock: Clock;
}

/**
 * The connection that writes to a server, one request at a time: `sqld` can stop answering when many transactions write
 * concurrently. A request that times out is aborted before the next one is sent.
 */
class WriteConnection {
  readonly #location: Location;
  readonly #requestTimeoutMs: number;
  readonly #clock: Clock;
  readonly #oneAtATime = pLimit(1);
  #client: Promise<Client> | undefined;
  #abort = new AbortController();

  constructor(location: Location, requestTimeoutMs: number, clock: Clock) {
    this.#location = location;
    this.#requestTimeoutMs = requestTimeoutMs;
    this.#clock = clock;
  }

  /**
   * Runs one request or transaction after the previous ones.
   *
   * @param signal Aborts the wait.
   * @throws {TimeoutError} When there is no answer within the limit; default: the request timeout.
   */
  async use<Result>(
    body: (client: Client) => Promise<Result>,
    { signal, timeoutMs = this.#requestTimeoutMs }: { readonly signal?: AbortSignal; readonly timeoutMs?: number },
  ): Promise<Result> {
    return await this.#oneAtATime(async () => {
      signal?.throwIfAborted();
      const work = this.#connected().then(body);
      let answered = false;
      const markAnswered = () => {
        answered = true;
      };
      work.then(markAnswered, markAnswered);
      try {
        return await bounded(work, { timeoutMs, signal, clock: this.#clock });
      } finally {
        if (!answered) await this.#cut();
      }
    });
  }

  async close(): Promise<void> {
    await this.#cut();
  }

  #connected(): Promise<Client> {
    this.#client ??= createClient(this.#location, () => this.#abort.signal);
    return this.#client;
  }

  /** Aborts the current request; the next one reconnects. */
  async #cut(): Promise<void> {
    this.#abort.abort();
    this.#abort = new AbortController();
    const client = this.#client;
    this.#client = undefined;
    await client?.then(
      (open) => open.close(),
      () => {}, // the connection had failed
    );
  }
}

/**
 * A connection on which every wait has a time limit. An operation blocked by another process is retried until the
 * limit; an operation without an answer is retried a few times. Operations must therefore be idempotent. Only one write
 * runs at a time.
 */
export class Database {
  readonly location: Location;
  readonly timing: Timing;
  readonly #client: Client;
  readonly #pending = new Set<Promise<unknown>>();
  readonly #limit: ReturnType<typeof pLimit>;
  readonly #writer: WriteConnection | undefined;
  #file: FileIdentity | undefined;
  #closing: Promise<void> | undefined;

  constructor(client: Client, location: Location, timing: Timing) {
    const { requestTimeoutMs, clock } = timing;
    const local = location.kind === "file" || location.kind === "memory";
    this.#client = client;
    this.location = location;
    this.timing = timing;
    this.#limit = pLimit(local ? 1 : REMOTE_READS);
    this.#writer = local ? undefined : new WriteConnection(location, requestTimeoutMs, clock);
  }

  /** Runs one reading statement. */
  async read(statement: InStatement, work: Work): Promise<ResultSet> {
    return await this.#perform(work, () => this.#limit(() => this.#client.execute(statement)));
  }

  /** Runs statements in one write transaction. */
  async write(statements: InStatement[], work: Work): Promise<ResultSet[]> {
    return await this.#perform(work, (signal) =>
      this.#writing((client) => client.batch(statements, "write"), { signal }),
    );
  }

  /** Like `write`, but tries only once and throws the client's error. */
  async tryToWrite(statements: InStatement[]): Promise<ResultSet[]> {
    const attempt = this.#writing((client) => client.batch(statements, "write"), {});
    return await this.#registered(attempt).catch(async (error: unknown) => {
      if (isBusy(error)) await this.#renew();
      throw error;
    });
  }

  /** Runs a transaction that reads before it writes, exclusively. */
  async alone(work: Work, body: (transaction: Transaction) => Promise<void>): Promise<void> {
    const { timeoutMs } = this.timing;
    const transact = async (client: Client) => {
      const transaction = await client.transaction("write");
      try {
        await body(transaction);
        await transaction.commit();
      } finally {
        transaction.close();
      }
    };
    await this.#perform(work, (signal) => this.#writing(transact, { signal, timeoutMs }));
  }

  /** Remembers the identity of the open file for `isReplaced`. */
  rememberFile(): void {
    this.#file = fileIdentity(this.location.file);
  }

  /** Whether the file was deleted or replaced. Writes to a file that was deleted while open are lost. */
  isReplaced(): boolean {
    if (this.#file === undefined) return false;
    return fileIdentity(this.location.file) !== this.#file;
  }

  /** Reconnects to the file that has the name now. */
  async reopen(): Promise<void> {
    const { file } = this.location;
    if (file !== undefined) await makeFolder(dirname(file));
    await this.#renew();
  }

  /** Rejects new operations, waits for pending ones and closes the connections. */
  async close(): Promise<void> {
    this.#closing ??= this.#close();
    await this.#closing;
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#pending); // each has its own time limit
    if (this.location.kind === "file" && !this.isReplaced()) {
      // The client may keep the file open until the process ends or longer. Without this, a copy of the database file
      // alone would miss the latest writes. If another process uses the file, that process checkpoints later.
      await this.#client.execute("PRAGMA wal_checkpoint(TRUNCATE)").catch(() => {});
    }
    await this.#writer?.close();
    if (!this.#client.closed) this.#client.close();
  }

  async #writing<Result>(
    body: (client: Client) => Promise<Result>,
    wait: { readonly signal?: AbortSignal; readonly timeoutMs?: number },
  ): Promise<Result> {
    if (this.#writer) return await this.#writer.use(body, wait);
    return await this.#limit(async () => {
      wait.signal?.throwIfAborted();
      return await body(this.#client);
    });
  }

  async #registered<Result>(task: Promise<Result>): Promise<Result> {
    this.#pending.add(task);
    try {
      return await task;
    } finally {
      this.#pending.delete(task);
    }
  }

  async #perform<Result>(work: Work, attempt: (over: AbortSignal) => Promise<Result>): Promise<Result> {
    return await this.#registered(this.#bounded(work, attempt));
  }

  /**
   * When libSQL's file client times out on a lock, the statement stays unfinished until it is garbage-collected. Until
   * then the connection rejects every commit ("SQL statements in progress"), so a new connection is used.
   */
  async #renew(): Promise<void> {
    if (this.location.kind === "file") await this.#client.reconnect();
  }

  async #bounded<Result>(work: Work, attempt: (over: AbortSignal) => Promise<Result>): Promise<Result> {
    const { location } = this;
    const { timeoutMs, clock } = this.timing;
    const over = new AbortController();
    const tries = work.tries ?? UNREACHABLE_TRIES;
    try {
      if (this.#closing) throw closedError();
      return await bounded(
        this.#retried(() => attempt(over.signal), { tries, over: over.signal }),
        {
          timeoutMs,
          signal: work.signal,
          clock,
        },
      );
    } catch (error) {
      if (work.signal?.aborted && error === work.signal.reason) throw abortedError(work.action, location, error);
      throw storeError(work.action, error, { location, code: work.code ?? "store-failed" });
    } finally {
      over.abort(); // queued operations and pending retries must not run after the caller got its answer
    }
  }

  async #retried<Result>(
    attempt: () => Promise<Result>,
    { tries, over }: { readonly tries: number; readonly over: AbortSignal },
  ): Promise<Result> {
    const { timeoutMs, clock } = this.timing;
    const deadline = clock.now() + timeoutMs;
    let pause = 0;
    over.throwIfAborted();
    return await withRetries(attempt, {
      mayPass: async (error, failed) => {
        if (isBusy(error)) await this.#renew();
        pause = backoffMs(PAUSES, failed);
        const mayHelp = isBusy(error) || (isAway(error) && failed < tries);
        return mayHelp && clock.now() + pause < deadline;
      },
      pauseMs: () => pause,
      clock,
      signal: over,
    });
  }
}

/**
 * Creates the client for a location and connects.
 *
 * @throws {StoreError} `store-unavailable` when it cannot connect.
 */
export async function connect(location: Location, timing: Timing): Promise<Database> {
  try {
    const client = await createClient(location, () => AbortSignal.timeout(timing.timeoutMs));
    return new Database(client, location, timing);
  } catch (error) {
    throw storeError("open results database", error, { location, code: "store-unavailable" });
  }
}

/** Time limit and abort signal of a wait. */
export interface Bounds {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly clock: Clock;
}

/**
 * Waits for a promise until the time limit passes or the signal is aborted. The work itself is not stopped.
 *
 * @throws {TimeoutError} When the time limit passes. Throws the signal's reason when it is aborted.
 */
async function bounded<Result>(work: Promise<Result>, { timeoutMs, signal, clock }: Bounds): Promise<Result> {
  using limit = startTimeLimit(timeoutMs, signal, clock);
  try {
    return await limit.until(work);
  } catch (error) {
    throw limit.expired() ? new TimeoutError(`no answer came within ${timeoutMs} ms`) : error;
  }
}

// servers limit the size of a response, to 10 MB by default; the result of a long call has about 100 KB
const ROWS_PER_READ = 64;

/**
 * Reads all rows of a query in pages that fit into a server's response.
 *
 * @param sql Query ordered by a unique column. Its last two parameters are that column's value in the last row of the
 *   previous page (at first an empty text) and the page size.
 * @param column Name of that column.
 */
export async function readRowPages(
  database: Database,
  { sql, args, column }: { readonly sql: string; readonly args: readonly InValue[]; readonly column: string },
  work: Work,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let perRead = ROWS_PER_READ;
  for (;;) {
    let part: ResultSet;
    try {
      part = await database.read({ sql, args: [...args, rows.at(-1)?.[column] ?? "", perRead] }, work);
    } catch (error) {
      if (!(error instanceof StoreError) || !isTooLarge(error.cause) || perRead === 1) throw error;
      perRead = Math.ceil(perRead / 4);
      continue;
    }
    rows.push(...part.rows);
    if (part.rows.length < perRead) return rows;
  }
}
