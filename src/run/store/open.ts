import { type Clock, SYSTEM_CLOCK } from "../../base/values/mod.ts";
import { BaselineRepository, refusePart } from "./baselines.ts";
import { type Database, databaseName, type OpenStoreOptions, openDatabase } from "./database/mod.ts";
import { createIdSource } from "./ids.ts";
import { countResults } from "./result_counts.ts";
import { inOrderOfCalls, ResultRepository } from "./results.ts";
import { RunRepository } from "./runs.ts";
import { Journal, RestorableDatabase, ResultSpool, SpoolFile, SpoolRecovery, spoolFolders } from "./spool/mod.ts";
import type { Store, WaitOptions } from "./types.ts";
import { ResultWriter } from "./writer.ts";

/**
 * Opens a results database. Creates or migrates it if necessary.
 *
 * @param url A path, `:memory:`, or a libSQL URL (`file:`, `libsql:`, `https:`, `http:`, `wss:`, `ws:`). Default:
 *   `CALLWEAVE_DB_URL` with `CALLWEAVE_DB_TOKEN`, else the file `.callweave/results.db`.
 * @throws {StoreError} `store-unavailable` when it cannot be opened: bad path, not a database, damaged, written by a
 *   newer Callweave, server unreachable, token rejected; `aborted`, `invalid-option`.
 * @example
 * ```ts
 * const store = await openStore(":memory:");
 * console.log(await store.listRuns({ limit: 10 }));
 * await store.close();
 * ```
 */
export async function openStore(url?: string, options: OpenStoreOptions = {}): Promise<Store> {
  return await openStoreByClock(url, options, SYSTEM_CLOCK);
}

/** Opens a store with a given clock for pauses and time limits. */
export async function openStoreByClock(
  url: string | undefined,
  options: OpenStoreOptions,
  clock: Clock,
): Promise<Store> {
  const database = await openDatabase(url, options, clock);
  const folders = spoolFolders(database.location, options.spool);
  const recovery = new SpoolRecovery(database, folders);
  // a spool that cannot be written now must not stop a new run; the run reports it
  const recovered = options.recover === false ? 0 : await recovery.tryToRecover();
  return createStore(database, { folders, recovery, recovered });
}

interface Spool {
  readonly folders: readonly string[];
  readonly recovery: SpoolRecovery;
  readonly recovered: number;
}

function createStore(database: Database, { folders, recovery, recovered }: Spool): Store {
  const { location, timing } = database;
  const nextId = createIdSource();
  const runs = new RunRepository(database, nextId);
  const results = new ResultRepository(database, nextId);
  const baselines = new BaselineRepository(database);
  const journal = new Journal();
  const restorable = new RestorableDatabase(database, journal);
  const file = folders.length === 0 ? undefined : new SpoolFile(folders, databaseName(location), nextId);
  const spool = new ResultSpool(journal, location, file);
  const writer = new ResultWriter({ database: restorable, spool, location, timing });
  const findRun = async (name: string, wait: WaitOptions) =>
    await runs.find((await baselines.find(name, wait))?.runId ?? name, wait);
  const close = async () => {
    await writer.close();
    // for unfinished runs: nothing else would notice that their file was deleted
    if (restorable.isLost) await restorable.makeWhole().catch((error) => spool.takeAll(error));
    await database.close();
  };
  return {
    url: location.shown,
    startRun: async (run, wait = {}) => {
      const document = await runs.add(run, wait);
      journal.start(document);
      const { kind, counts } = document.run;
      const isShared = kind !== "imported" && Object.values(counts).some((count) => count > 0);
      if (isShared) journal.keep(await results.ofRun(document.run.id, wait)); // in case the database loses them
      return document.run;
    },
    addResult: async (runId, result, { signal, onKnown } = {}) => {
      const record = results.record(runId, result);
      const stored = await writer.add(record, signal);
      if (restorable.wasKnown(record)) onKnown?.();
      return stored;
    },
    finishRun: async (runId, { finishedAt: at = new Date().toISOString(), signal, ...given } = {}) => {
      const part = given.part ?? journal.document(runId)?.part?.index;
      const statements = runs.finishing(runId, at, part);
      const record = runs.finished(runId, await writer.finish({ runId, part, at, statements, signal }));
      journal.finish(runId);
      return record;
    },
    deleteRun: async (idOrPrefix, wait = {}) => {
      const run = await findRun(idOrPrefix, wait);
      await baselines.refuseDeletion(run.id, wait);
      await runs.delete(run, wait);
      journal.finish(run.id);
      return run;
    },
    recover: async () => {
      await restorable.makeWhole().catch((error) => recovery.fail(error));
      return await recovery.recover();
    },
    status: () => ({
      spoolFile: spool.path,
      recovered,
      ...recovery.problems,
      restored: restorable.restored,
      displaced: spool.displaced,
    }),
    listRuns: async (query = {}) => await runs.list(query),
    listResults: async (query = {}) => await results.list(query),
    findRun: async (idOrPrefix, wait = {}) => await findRun(idOrPrefix, wait),
    showRun: async (idOrPrefix, wait = {}) => {
      const run = await findRun(idOrPrefix, wait);
      const [stored, graph] = await Promise.all([results.ofRun(run.id, wait), runs.graph(run, wait)]);
      return { run, results: run.kind === "imported" ? inOrderOfCalls(stored) : stored, graph };
    },
    showGraph: async (idOrPrefix, wait = {}) => await runs.graph(await findRun(idOrPrefix, wait), wait),
    countResults: async (runId, wait = {}) => await countResults(database, String(runId), wait),
    setBaseline: async (name, idOrPrefix, wait = {}) => {
      const run = await findRun(idOrPrefix, wait);
      await refusePart({ listResults: (query) => results.list(query) }, run, wait);
      return await baselines.set(name, run.id, wait);
    },
    listBaselines: async (wait = {}) => await baselines.list(wait),
    findBaseline: async (name, wait = {}) => await baselines.find(name, wait),
    removeBaseline: async (name, wait = {}) => await baselines.remove(name, wait),
    knownResults: async (ids, wait = {}) => await results.known(ids, wait),
    findResult: async (id, wait = {}) => await results.find(id, wait),
    close,
    [Symbol.asyncDispose]: close,
  };
}
