import { type Database, isWithoutTables, migrate } from "../database/mod.ts";
import { batchesOf, resultInsertions, runInsertions } from "../rows/mod.ts";
import type { ResultRecord } from "../types.ts";
import type { Journal } from "./journal.ts";

/** Thrown where the database turned out to have lost what was stored; the next try writes everything again. */
export class LostDatabaseError extends Error {}

/** A database that gets back what it has lost of the runs that a store is writing. */
export class RestorableDatabase {
  readonly #database: Database;
  readonly #journal: Journal;
  #lost = false;
  #restoring: Promise<void> | undefined;
  #restored = 0;

  constructor(database: Database, journal: Journal) {
    this.#database = database;
    this.#journal = journal;
  }

  /** How often everything had to be written again. */
  get restored(): number {
    return this.#restored;
  }

  /** Whether what was stored is not there any more, and was not written again yet. */
  get isLost(): boolean {
    return this.#lost || this.#database.isReplaced();
  }

  /** Writes everything again where it is lost. */
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
   * @returns The ids of those whose run is not there.
   * @throws What the client throws; LostDatabaseError when it has to be done again.
   */
  async tryToStore(records: readonly ResultRecord[]): Promise<ReadonlySet<string>> {
    const answers = await this.#safely([...resultInsertions(records)]);
    const stored = new Set(answers.at(-1)?.rows.map(({ id }) => String(id)));
    const missing = records.filter(({ id }) => !stored.has(id));
    if (missing.some(({ runId }) => this.#journal.has(runId))) this.#lose();
    this.#journal.keep(records.filter(({ id }) => stored.has(id)));
    return new Set(missing.map(({ id }) => id));
  }

  /** Tries once to mark a run as finished, and answers with the statement's rows. */
  async tryToFinish(runId: string, statements: Parameters<Database["tryToWrite"]>[0]) {
    const answers = await this.#safely(statements);
    const rows = answers.at(-1)?.rows ?? [];
    if (rows.length === 0 && this.#journal.has(runId)) this.#lose();
    return rows;
  }

  async #safely(statements: Parameters<Database["tryToWrite"]>[0]) {
    if (this.isLost) await this.makeWhole(); // no await without need: what is asked for first is done first
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
    throw new LostDatabaseError("the database lost what was stored in it");
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
