import { type Database, storeError } from "../database/mod.ts";
import type { Recovery, StoreStatus } from "../types.ts";
import { recoverSpool } from "./recover.ts";

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
