import { type Database, isWithoutTables, migrate } from "../database/mod.ts";
import type { ResultRecord } from "../records.ts";
import { batchesOf, resultFrom, resultInsertions, runInsertions, sameSlot, wasKnown } from "../rows/mod.ts";
import type { Journal } from "./journal.ts";

/** Thrown when the database has lost stored results; the next attempt writes everything again. */
export class LostDatabaseError extends Error {}

/** Results that were not stored, by id; see `tryToStore`. */
export type NotStored = ReadonlyMap<string, ResultRecord | undefined>;

/** Returns the stored result of the same run, scenario, trial and attempt. */
export async function findTaken(database: Database, record: ResultRecord): Promise<ResultRecord | undefined> {
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
