import { dirname } from "node:path";
import type { Client, InStatement, ResultSet, Transaction } from "@libsql/client";
import pLimit from "p-limit";
import type { ErrorCode } from "../../errors.ts";
import { makeFolder } from "../../files/mod.ts";
import type { Clock } from "../../values/mod.ts";
import { bounded } from "./bounded.ts";
import { createClient } from "./client.ts";
import { abortedError, closedError, isAway, isBusy, storeError } from "./errors.ts";
import { type FileIdentity, fileIdentity } from "./file_identity.ts";
import type { Location } from "./location.ts";
import { WriteConnection } from "./write_connection.ts";

const LONGEST_PAUSE_MS = 250;
/** Reads on the way to a server at a time; a file is used by one call at a time in any case. */
const REMOTE_READS = 16;
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

/** The time limits of a database, in milliseconds, and the clock that they are measured by. */
export interface Timing {
  /** Of one call, with all its tries. */
  readonly timeoutMs: number;
  /** Of one request that writes to a server. */
  readonly requestTimeoutMs: number;
  readonly clock: Clock;
}

/**
 * A connection on which every wait is bounded. Work that another process was in the way of is done again until the
 * time is up; so is, a few times, work whose answer did not come. It must therefore be safe to do twice. There is never
 * more than one write under way.
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

  /** Runs one statement that reads. */
  async read(statement: InStatement, work: Work): Promise<ResultSet> {
    return await this.#perform(work, () => this.#limit(() => this.#client.execute(statement)));
  }

  /** Runs statements in one transaction that writes: all of them, or none. */
  async write(statements: InStatement[], work: Work): Promise<ResultSet[]> {
    return await this.#perform(work, (signal) =>
      this.#writing((client) => client.batch(statements, "write"), { signal }),
    );
  }

  /** Like `write`, but tries once and throws what the client throws: the caller decides what to do next. */
  async tryToWrite(statements: InStatement[]): Promise<ResultSet[]> {
    const attempt = this.#writing((client) => client.batch(statements, "write"), {});
    return await this.#registered(attempt).catch(async (error: unknown) => {
      if (isBusy(error)) await this.#renew();
      throw error;
    });
  }

  /** Runs work that reads before it writes, alone on the database. */
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

  /** Remembers which file is open, so that `isReplaced` can tell. */
  rememberFile(): void {
    this.#file = fileIdentity(this.location.file);
  }

  /** Whether the file was deleted or replaced: what is written to an open file that has no name any more is lost. */
  isReplaced(): boolean {
    if (this.#file === undefined) return false;
    return fileIdentity(this.location.file) !== this.#file;
  }

  /** Connects anew, to the file that has the name now. */
  async reopen(): Promise<void> {
    const { file } = this.location;
    if (file !== undefined) await makeFolder(dirname(file));
    await this.#renew();
  }

  /** Refuses new work, waits for what was asked for before, and closes the connections. */
  async close(): Promise<void> {
    this.#closing ??= this.#close();
    await this.#closing;
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#pending); // bounded, each by its own limit
    if (this.location.kind === "file" && !this.isReplaced()) {
      // The client closes the file only when the process ends, or not even then; without this, a copy of the file
      // alone would lack what was written last. Another process that is reading or writing does it later.
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
   * libSQL's file client leaves the statement that gave up waiting unfinished until its memory is collected, and until
   * then a connection refuses every commit ("SQL statements in progress"). Another connection does not.
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
      over.abort(); // what waits for its turn, or between two tries, must not be done after the answer was given
    }
  }

  async #retried<Result>(
    attempt: () => Promise<Result>,
    { tries, over }: { readonly tries: number; readonly over: AbortSignal },
  ): Promise<Result> {
    const { timeoutMs, clock } = this.timing;
    const deadline = clock.now() + timeoutMs;
    for (let tried = 1; ; tried++) {
      over.throwIfAborted();
      try {
        return await attempt();
      } catch (error) {
        if (isBusy(error)) await this.#renew();
        const again = isBusy(error) || (isAway(error) && tried < tries);
        // Random, so that processes that met do not meet again.
        const pauseMs = Math.random() * Math.min(LONGEST_PAUSE_MS, 10 * 2 ** Math.min(tried, 10));
        if (!again || clock.now() + pauseMs >= deadline) throw error;
        await clock.pause(pauseMs, over);
      }
    }
  }
}

/**
 * Loads the client that a location needs and connects.
 *
 * @throws {StoreError} `store-unavailable`.
 */
export async function connect(location: Location, timing: Timing): Promise<Database> {
  try {
    const client = await createClient(location, () => AbortSignal.timeout(timing.timeoutMs));
    return new Database(client, location, timing);
  } catch (error) {
    throw storeError("open results database", error, { location, code: "store-unavailable" });
  }
}
