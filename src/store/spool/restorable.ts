import { type Database, isWithoutTables, migrate } from "../database/mod.ts";
import { batchesOf, resultInsertions, runInsertions } from "../rows/mod.ts";
import type { ResultRecord } from "../types.ts";
import type { Journal } from "./journal.ts";

/** Thrown when the database has lost stored results; the next attempt writes everything again. */
export class LostDatabaseError extends Error {}

/** A database that rewrites the results of unfinished runs after losing them. */
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

  /** How often everything was written again. */
  get restored(): number {
    return this.#restored;
  }

  /** Whether stored results are missing and were not rewritten yet. */
  get isLost(): boolean {
    return this.#lost || this.#database.isReplaced();
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
   * @returns Ids of the results whose run does not exist.
   * @throws The client's error; LostDatabaseError when the database has lost results.
   */
  async tryToStore(records: readonly ResultRecord[]): Promise<ReadonlySet<string>> {
    const answers = await this.#safely([...resultInsertions(records)]);
    const stored = new Set(answers.at(-1)?.rows.map(({ id }) => String(id)));
    const missing = records.filter(({ id }) => !stored.has(id));
    if (missing.some(({ runId }) => this.#journal.has(runId))) this.#lose();
    this.#journal.keep(records.filter(({ id }) => stored.has(id)));
    return new Set(missing.map(({ id }) => id));
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
