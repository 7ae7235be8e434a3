import type { Client } from "@libsql/client";
import pLimit from "p-limit";
import type { Clock } from "../../../base/values/mod.ts";
import { bounded } from "./bounded.ts";
import { createClient } from "./client.ts";
import type { Location } from "./location.ts";

/**
 * The connection that writes to a server, one request at a time: `sqld` can stop answering when many transactions write
 * concurrently. A request that times out is aborted before the next one is sent.
 */
export class WriteConnection {
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
