import { createIdSource } from "./_ids.ts";
import { openDatabase } from "./_open.ts";
import { ResultRepository } from "./_results.ts";
import { RunRepository } from "./_runs.ts";
import type { Store } from "./types.ts";

/** How a store is opened. */
export interface OpenStoreOptions {
  /** For a server that asks for one; also taken from `?authToken=` in the URL. It is never shown or stored. */
  readonly authToken?: string;
  /** The longest that one call of the store may take, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number;
  /** Ends the wait for the database while it is opened. */
  readonly signal?: AbortSignal;
  /** Whether a database that is not there, or holds nothing of Callweave, is made. Default: true. */
  readonly create?: boolean;
}

/**
 * Opens a results database, which is made, or brought to the newest schema, when it has to be.
 *
 * @param url A path, `:memory:`, or any libSQL URL (`file:`, `libsql:`, `https:`, `http:`, `wss:`, `ws:`). Absent: what
 *   `CALLWEAVE_DB_URL` says, with the token of `CALLWEAVE_DB_TOKEN`; else the file `.callweave/results.db`.
 * @throws {StoreError} `store-unavailable` when it cannot be opened: no such path, not a database, damaged, written by
 *   a newer Callweave, server unreachable, token refused; `aborted`, `invalid-option`.
 * @example
 * ```ts
 * const store = await openStore(":memory:");
 * console.log(await store.listRuns({ limit: 10 }));
 * await store.close();
 * ```
 */
export async function openStore(url?: string, options: OpenStoreOptions = {}): Promise<Store> {
  const database = await openDatabase(url, options);
  const nextId = createIdSource();
  const runs = new RunRepository(database, nextId);
  const results = new ResultRepository(database, nextId);
  const close = async () => await database.close();
  return {
    url: database.location.shown,
    startRun: async (run, wait = {}) => await runs.add(run, wait),
    addResult: async (runId, result, wait = {}) => await results.add(runId, result, wait),
    finishRun: async (runId, { finished_at, ...wait } = {}) =>
      await runs.finish(runId, finished_at ?? new Date().toISOString(), wait),
    listRuns: async (query = {}) => await runs.list(query),
    listResults: async (query = {}) => await results.list(query),
    findRun: async (idOrPrefix, wait = {}) => await runs.find(idOrPrefix, wait),
    showRun: async (idOrPrefix, wait = {}) => {
      const run = await runs.find(idOrPrefix, wait);
      const [stored, graph] = await Promise.all([results.ofRun(run.id, wait), runs.graph(run, wait)]);
      return { run, results: stored, graph };
    },
    findResult: async (id, wait = {}) => await results.find(id, wait),
    close,
    [Symbol.asyncDispose]: close,
  };
}
