import type { Row } from "@libsql/client";
import { StoreError } from "../../base/errors.ts";
import { type Clock, SYSTEM_CLOCK, shown } from "../../base/values/mod.ts";
import { type ResultSource, standingOf } from "../summary/mod.ts";
import { type Database, databaseName, type OpenStoreOptions, openDatabase } from "./database/mod.ts";
import type { Baseline, RunRecord } from "./records.ts";
import { countResults, createIdSource, inOrderOfCalls, ResultRepository, RunRepository } from "./repositories.ts";
import { storableText } from "./rows/mod.ts";
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
    keepUnjudged: async (runId, calls, wait = {}) => {
      const { keepUnjudged } = await import("./unjudged_calls.ts"); // in most runs no call waits for others
      await keepUnjudged(database, { runId, calls, nextId }, wait);
    },
    unjudgedCalls: async (runId, wait = {}) => {
      const { unjudgedCalls } = await import("./unjudged_calls.ts");
      return await unjudgedCalls(database, runId, wait);
    },
    addLabels: async (labels, wait = {}) => {
      const { writeLabels } = await import("./labels.ts"); // runs have none
      await writeLabels(database, labels, wait);
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
    listJudged: async (query = {}) => await results.judged(query),
    findRun: async (idOrPrefix, wait = {}) => await findRun(idOrPrefix, wait),
    showRun: async (idOrPrefix, wait = {}) => {
      const run = await findRun(idOrPrefix, wait);
      const { readLabels } = await import("./labels.ts");
      const [stored, graph, labels] = await Promise.all([
        results.ofRun(run.id, wait),
        runs.graph(run, wait),
        readLabels(database, run.id, wait),
      ]);
      return { run, results: run.kind === "imported" ? inOrderOfCalls(stored) : stored, graph, labels };
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

const SELECT = "SELECT name, run_id, set_at FROM callweave_baselines";

/** Reads and writes baselines: names of runs to compare later runs with. */
class BaselineRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async set(given: string, runId: string, { signal }: WaitOptions): Promise<Baseline> {
    const work = { action: "set baseline in", signal };
    const name = this.#name(given, work.action);
    const sql = `INSERT INTO callweave_baselines (name, run_id, set_at)
      SELECT ?, id, ? FROM callweave_runs WHERE id = ?
      ON CONFLICT (name) DO UPDATE SET run_id = excluded.run_id, set_at = excluded.set_at`;
    const args = [name, new Date().toISOString(), runId];
    const find = { sql: `${SELECT} WHERE name = ? AND run_id = ?`, args: [name, runId] };
    const answers = await this.#database.write([{ sql, args }, find], work);
    const row = answers.at(-1)?.rows[0];
    if (row) return baselineFrom(row);
    throw new StoreError(`Cannot set baseline "${name}": run "${runId}" does not exist any more`, {
      code: "unknown-run",
      hint: "List the runs to see their ids",
    });
  }

  async list({ signal }: WaitOptions): Promise<readonly Baseline[]> {
    const { rows } = await this.#database.read(`${SELECT} ORDER BY name`, { action: "list baselines of", signal });
    return rows.map(baselineFrom);
  }

  async find(name: string, { signal }: WaitOptions): Promise<Baseline | undefined> {
    const statement = { sql: `${SELECT} WHERE name = ?`, args: [storableText(String(name))] };
    const { rows } = await this.#database.read(statement, { action: "find baseline in", signal });
    return rows[0] && baselineFrom(rows[0]);
  }

  async remove(given: string, { signal }: WaitOptions): Promise<Baseline> {
    const work = { action: "remove baseline from", signal };
    const name = this.#name(given, work.action);
    const baseline = await this.find(name, { signal });
    if (!baseline) {
      const state = `it does not exist in "${this.#database.location.shown}"`;
      throw new StoreError(`Cannot remove baseline "${name}": ${state}`, {
        code: "unknown-baseline",
        hint: "List the baselines to see their names",
      });
    }
    await this.#database.write([{ sql: "DELETE FROM callweave_baselines WHERE name = ?", args: [name] }], work);
    return baseline;
  }

  /** @throws {StoreError} `run-is-baseline` when the run is a baseline. */
  async refuseDeletion(runId: string, { signal }: WaitOptions): Promise<void> {
    const statement = { sql: `${SELECT} WHERE run_id = ? ORDER BY name LIMIT 1`, args: [runId] };
    const { rows } = await this.#database.read(statement, { action: "delete run in", signal });
    if (!rows[0]) return;
    const { name } = baselineFrom(rows[0]);
    throw new StoreError(`Cannot delete run "${runId}": it is the baseline "${name}"`, {
      code: "run-is-baseline",
      hint: `Set the baseline to another run, or remove it: callweave runs baseline remove ${name}`,
    });
  }

  #name(given: string, action: string): string {
    if (typeof given === "string" && given.trim() !== "") return storableText(given);
    throw new StoreError(`Cannot ${action} "${this.#database.location.shown}": the name is ${shown(given)}`, {
      code: "invalid-option",
      hint: "Pass a name such as main",
    });
  }
}

/**
 * Refuses an incomplete run as a baseline.
 *
 * @throws {StoreError} `partial-run`.
 */
async function refusePart(source: ResultSource, run: RunRecord, { signal }: WaitOptions): Promise<void> {
  const { missing } = await standingOf(source, run, { needsSet: false, ...(signal ? { signal } : {}) });
  if (missing.length === 0) return;
  throw new StoreError(`Cannot set a baseline: run ${run.id} is only a part: ${missing.join("; ")}`, {
    code: "partial-run",
    path: [run.id],
    hint: `Complete it: callweave run --resume ${run.id}, or name a run of all scenarios`,
  });
}

function baselineFrom({ name, run_id: runId, set_at: setAt }: Row): Baseline {
  return { name: String(name), runId: String(runId), setAt: String(setAt) };
}
