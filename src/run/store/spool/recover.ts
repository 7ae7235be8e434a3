import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { InStatement } from "@libsql/client";
import { errorCode } from "../../../base/values/mod.ts";
import {
  type Database,
  databaseName,
  fileIdentity,
  isUnstorable,
  isWithoutTables,
  migrate,
  storeError,
} from "../database/mod.ts";
import type { ResultRecord } from "../records.ts";
import {
  batchesOf,
  batchLength,
  resultFrom,
  resultInsertions,
  runFinish,
  runInsertions,
  sameSlot,
  wasKnown,
} from "../rows/mod.ts";
import type { Recovery, StoreStatus } from "../types.ts";
import {
  isBegunHead,
  isTrustedSpool,
  type Journal,
  linesOf,
  parseSpoolLine,
  SPOOL_ENDING,
  type SpoolLine,
} from "./spool_file.ts";

/** Suffix of a spool file that could only be written in part. */
const LEFT_ENDING = `${SPOOL_ENDING}.left`;

/** Suffix of a spool file that one process has claimed for recovery. */
const CLAIMED_ENDING = `${SPOOL_ENDING}.claimed`;

/** Thrown when the database has lost stored results; the next attempt writes everything again. */
export class LostDatabaseError extends Error {}

/** A single attempt; the files stay for the next one. */
const WORK = { action: "write spool to", tries: 1 } as const;

/** Writes a store's spool files to its database and remembers what failed. */
export class SpoolRecovery {
  readonly #database: Database;
  readonly #folders: readonly string[];
  #problems: Pick<StoreStatus, "unreadable" | "recoveryError"> = { unreadable: [], recoveryError: null };

  constructor(database: Database, folders: readonly string[]) {
    this.#database = database;
    this.#folders = folders;
  }

  /** Unwritten files and the error of the last recovery. */
  get problems(): Pick<StoreStatus, "unreadable" | "recoveryError"> {
    return this.#problems;
  }

  /** @throws {StoreError} `store-failed` when the database rejects the results; the files stay. */
  async recover(): Promise<Recovery> {
    try {
      const recovery = await recoverSpool(this.#database, this.#folders);
      this.#problems = { unreadable: recovery.unreadable, recoveryError: null };
      return recovery;
    } catch (error) {
      this.fail(error);
    }
  }

  /** @returns Number of results written. */
  async tryToRecover(): Promise<number> {
    return await this.recover().then(
      ({ results }) => results,
      () => 0,
    );
  }

  /** @throws {StoreError} Always, with code `store-failed`; the error is also remembered. */
  fail(error: unknown): never {
    const { location } = this.#database;
    const failure = storeError("write spool to", error, { location, code: "store-failed" });
    this.#problems = { ...this.#problems, recoveryError: `${failure.message} (${failure.hint})` };
    throw failure;
  }
}

/**
 * Writes the spool files of some folders that belong to this database, and deletes them.
 *
 * A file is renamed first, so that the store that created it starts a new one. Every statement is idempotent: several
 * processes may recover at the same time, and after a crash the next one continues.
 *
 * @throws {StoreError} When the database rejects the results; the files stay.
 */
export async function recoverSpool(database: Database, folders: readonly string[]): Promise<Recovery> {
  const name = databaseName(database.location);
  const total = { results: 0, runs: new Set<string>(), damaged: 0, otherDatabases: new Set<string>() };
  const trusted = folders.filter(isTrustedSpool);
  const unreadable: string[] = [];
  const names: string[] = [];
  for (const folder of trusted)
    await readdir(folder).then(
      (found) => void names.push(...found.sort().map((name) => join(folder, name))),
      (error: unknown) => void (errorCode(error) === "ENOENT" || unreadable.push(folder)),
    );
  const endingIn = (...endings: readonly string[]) =>
    names.filter((name) => endings.some((ending) => name.endsWith(ending)));
  const files = endingIn(SPOOL_ENDING, CLAIMED_ENDING);
  unreadable.push(...endingIn(LEFT_ENDING));
  if (files.length > 0) await database.read("SELECT count(*) FROM callweave_runs", WORK); // fails before a file is renamed
  for (const file of files) {
    const head = await headOf(file);
    if (head === undefined) continue; // deleted, or not written yet
    if (head === null) {
      unreadable.push(file);
      continue;
    }
    if (head !== name) {
      total.otherDatabases.add(head);
      continue;
    }
    const claimed = await claim(file);
    if (claimed === undefined) continue;
    if (claimed === null) {
      unreadable.push(file);
      continue;
    }
    const written = await writeFile(database, claimed).catch(async (error: unknown) => {
      if (fileIdentity(claimed) === undefined) return undefined; // another process has already written it
      await rename(claimed, file).catch(() => {}); // reports mention the file by its old name
      throw error;
    });
    if (!written) continue;
    const { results, runs, damaged, unknown } = written;
    total.results += results;
    total.damaged += damaged + unknown;
    for (const run of runs) total.runs.add(run);
    if (damaged + unknown === 0) await rm(claimed, { force: true });
    else unreadable.push(await leave(claimed));
  }
  return { ...total, runs: [...total.runs], unreadable, otherDatabases: [...total.otherDatabases] };
}

/**
 * Returns the name of the database that a file belongs to; `undefined` when its first line is not written yet, or another
 * process has claimed it, and `null` when it cannot be read.
 */
async function headOf(path: string): Promise<string | null | undefined> {
  try {
    for await (const { text, isWhole } of linesOf(path)) {
      const line = parseSpoolLine(text);
      if (line?.kind === "head") return line.database;
      return isWhole || !isBegunHead(text) ? null : undefined;
    }
    return undefined; // the file is empty
  } catch (error) {
    return errorCode(error) === "ENOENT" ? undefined : null;
  }
}

/** Claims a file; `undefined` when another process has, and `null` when it cannot be renamed. */
async function claim(path: string): Promise<string | null | undefined> {
  if (path.endsWith(CLAIMED_ENDING)) return path;
  const claimed = `${path}.claimed`;
  try {
    await rename(path, claimed);
    return claimed;
  } catch (error) {
    return errorCode(error) === "ENOENT" ? undefined : null;
  }
}

/** Renames a partly recovered file, so that later recoveries skip it. */
async function leave(claimed: string): Promise<string> {
  const left = `${claimed.slice(0, -CLAIMED_ENDING.length)}${LEFT_ENDING}`;
  try {
    await rename(claimed, left);
    return left;
  } catch {
    return claimed;
  }
}

interface Written {
  results: number;
  readonly runs: Set<string>;
  /** Unreadable lines. */
  damaged: number;
  /** Results that the database rejects, or whose run is missing in the file and the database. */
  unknown: number;
}

async function writeFile(database: Database, path: string): Promise<Written> {
  const written: Written = { results: 0, runs: new Set(), damaged: 0, unknown: 0 };
  let waiting: ResultRecord[] = [];
  const flush = async () => {
    if (waiting.length > 0) await writeResults(database, waiting, written);
    waiting = [];
  };
  let cut = false;
  for await (const { text } of linesOf(path)) {
    if (cut) written.damaged++;
    const line = parseSpoolLine(text);
    cut = line === undefined; // the last line may be cut off if the process was killed while writing it
    if (!line) continue;
    if (line.kind === "result") waiting.push(line.record);
    if (line.kind !== "result" || batchLength(waiting) < waiting.length) await flush();
    const statements = statementsOf(line);
    if (statements.length > 0) await database.write([...statements], WORK);
  }
  await flush();
  if (database.isReplaced()) throw new LostDatabaseError(`"${database.location.shown}" was deleted or replaced`);
  return written;
}

async function writeResults(database: Database, records: readonly ResultRecord[], written: Written): Promise<void> {
  try {
    const answers = await database.write([...resultInsertions(records)], WORK);
    const stored = new Set(answers.at(-1)?.rows.map(({ id }) => String(id)));
    for (const record of records)
      if (stored.has(record.id)) written.runs.add(record.runId);
      else if (!(await findTaken(database, record))) written.unknown++;
    // the first statement of each result inserts its row, or does nothing when another process has inserted it
    written.results += records.reduce((sum, _, index) => sum + (answers[2 * index]?.rowsAffected ?? 0), 0);
  } catch (error) {
    if (!isUnstorable(error)) throw error;
    if (records.length === 1) written.unknown++;
    else for (const record of records) await writeResults(database, [record], written);
  }
}

function statementsOf(line: SpoolLine): readonly InStatement[] {
  switch (line.kind) {
    case "run":
      return runInsertions(line.document);
    case "finished":
      return runFinish(line.runId, line.at, { part: line.part, keepEarlier: true });
    default:
      return [];
  }
}

/** Results that were not stored, by id; see `tryToStore`. */
export type NotStored = ReadonlyMap<string, ResultRecord | undefined>;

/** Returns the stored result of the same run, scenario, trial and attempt. */
async function findTaken(database: Database, record: ResultRecord): Promise<ResultRecord | undefined> {
  if (record.attempt === undefined) return undefined;
  const { rows } = await database.read(sameSlot(record), { action: "read result of", tries: 1 });
  return rows[0] && resultFrom(rows[0]);
}

/** A database that rewrites the results of unfinished runs after losing them. */
export class RestorableDatabase {
  readonly #database: Database;
  readonly #journal: Journal;
  /** Results that were tried before: an attempt that fails may have stored them. */
  readonly #tried = new WeakSet<ResultRecord>();
  readonly #known = new WeakSet<ResultRecord>();
  #lost = false;
  #restoring: Promise<void> | undefined;
  #restored = 0;

  constructor(database: Database, journal: Journal) {
    this.#database = database;
    this.#journal = journal;
  }

  /** How often everything was written again. */
  get restored(): number {
    return this.#restored;
  }

  /** Whether stored results are missing and were not rewritten yet. */
  get isLost(): boolean {
    return this.#lost || this.#database.isReplaced();
  }

  /** Whether the database had a result with the id of this one before it was stored. */
  wasKnown(record: ResultRecord): boolean {
    return this.#known.has(record);
  }

  /** Rewrites everything that is lost. */
  async makeWhole(): Promise<void> {
    if (!this.isLost) return;
    this.#restoring ??= this.#restore().finally(() => {
      this.#restoring = undefined;
    });
    await this.#restoring;
  }

  /**
   * Tries once to store results.
   *
   * @returns The results that were not stored, by id: the record that the run already has for the same scenario, trial
   *   and attempt, or `undefined` when the run does not exist.
   * @throws The client's error; LostDatabaseError when the database has lost results.
   */
  async tryToStore(records: readonly ResultRecord[]): Promise<NotStored> {
    const retried = new Set(records.filter((record) => this.#tried.has(record)));
    for (const record of records) this.#tried.add(record);
    const answers = await this.#safely([...resultInsertions(records)]);
    const stored = new Set(answers.at(-1)?.rows.map(({ id }) => String(id)));
    const missing = new Map<string, ResultRecord | undefined>();
    for (const record of records)
      if (!stored.has(record.id)) missing.set(record.id, await findTaken(this.#database, record));
    const isLost = ({ id, runId }: ResultRecord) =>
      missing.has(id) && missing.get(id) === undefined && this.#journal.has(runId);
    if (records.some(isLost)) this.#lose();
    for (const [index, record] of records.entries())
      if (stored.has(record.id) && wasKnown(answers, index) && !retried.has(record)) this.#known.add(record);
    this.#journal.keep(records.filter(({ id }) => stored.has(id)));
    return missing;
  }

  /** Tries once to mark a run as finished. Returns the rows of the last statement. */
  async tryToFinish(runId: string, statements: Parameters<Database["tryToWrite"]>[0]) {
    const answers = await this.#safely(statements);
    const rows = answers.at(-1)?.rows ?? [];
    if (rows.length === 0 && this.#journal.has(runId)) this.#lose();
    return rows;
  }

  async #safely(statements: Parameters<Database["tryToWrite"]>[0]) {
    if (this.isLost) await this.makeWhole(); // no needless await, which would change the order of writes
    try {
      const answers = await this.#database.tryToWrite(statements);
      if (this.#database.isReplaced()) this.#lose();
      return answers;
    } catch (error) {
      if (isWithoutTables(error)) this.#lose();
      throw error;
    }
  }

  #lose(): never {
    this.#lost = true;
    throw new LostDatabaseError("the database lost stored results");
  }

  async #restore(): Promise<void> {
    await this.#database.reopen();
    await migrate(this.#database, { signal: undefined, create: true });
    this.#database.rememberFile();
    for (const { document, results } of this.#journal.contents()) {
      await this.#database.tryToWrite([...runInsertions(document)]);
      for (const batch of batchesOf(results)) await this.#database.tryToWrite([...resultInsertions(batch)]);
    }
    this.#lost = false;
    this.#restored++;
  }
}
