import { type Database, storeError } from "../database/mod.ts";
import type { Recovery, StoreStatus } from "../types.ts";
import { recoverSpool } from "./recover.ts";

/** Writes a store's spool files to its database, and remembers what could not be written. */
export class SpoolRecovery {
  readonly #database: Database;
  readonly #folders: readonly string[];
  #problems: Pick<StoreStatus, "unreadable" | "recoveryError"> = { unreadable: [], recoveryError: null };

  constructor(database: Database, folders: readonly string[]) {
    this.#database = database;
    this.#folders = folders;
  }

  /** What the last recovery could not write, and why. */
  get problems(): Pick<StoreStatus, "unreadable" | "recoveryError"> {
    return this.#problems;
  }

  /** @throws {StoreError} `store-failed` when the database does not take the results; the files stay. */
  async recover(): Promise<Recovery> {
    try {
      const recovery = await recoverSpool(this.#database, this.#folders);
      this.#problems = { unreadable: recovery.unreadable, recoveryError: null };
      return recovery;
    } catch (error) {
      this.fail(error);
    }
  }

  /** @returns How many results were written. */
  async tryToRecover(): Promise<number> {
    return await this.recover().then(
      ({ results }) => results,
      () => 0,
    );
  }

  /** @throws {StoreError} `store-failed`, as which the error is remembered. */
  fail(error: unknown): never {
    const { location } = this.#database;
    const failure = storeError("write spool to", error, { location, code: "store-failed" });
    this.#problems = { ...this.#problems, recoveryError: `${failure.message} (${failure.hint})` };
    throw failure;
  }
}
