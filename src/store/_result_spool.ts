import { StoreError } from "../errors.ts";
import type { Journal } from "./_journal.ts";
import type { Location } from "./_location.ts";
import type { SpoolFile } from "./_spool_file.ts";
import type { SpoolLine } from "./_spool_lines.ts";
import type { ResultRecord } from "./types.ts";

/** What to do about results in a spool. */
const RECOVER = 'Run "callweave runs recover" when the database is back; the next run that stores there does it too';

/** Where a store keeps what its database does not take. */
export class ResultSpool {
  readonly #journal: Journal;
  readonly #location: Location;
  readonly #file: SpoolFile | undefined;

  /** @param file Absent: nothing is spooled. */
  constructor(journal: Journal, location: Location, file: SpoolFile | undefined) {
    this.#journal = journal;
    this.#location = location;
    this.#file = file;
  }

  /** The file; `null` as long as nothing was spooled. */
  get path(): string | null {
    return this.#file?.path ?? null;
  }

  /**
   * Keeps results.
   *
   * @param failure Why the database does not have them.
   * @returns What their callers are told: that they are in the spool, or that nothing has them.
   */
  async take(records: readonly ResultRecord[], failure: StoreError): Promise<StoreError> {
    const lines = records.map((record): SpoolLine => ({ kind: "result", record }));
    return await this.#append(lines, new Set(records.map(({ run_id }) => run_id)), failure);
  }

  /** Keeps when a run was finished. */
  async takeEnd(runId: string, at: string, failure: StoreError): Promise<StoreError> {
    return await this.#append([{ kind: "finished", runId, at }], new Set([runId]), failure);
  }

  async #append(lines: readonly SpoolLine[], runIds: ReadonlySet<string>, failure: StoreError): Promise<StoreError> {
    if (!this.#file) return failure;
    const runs = [...runIds].flatMap((id) => {
      const document = this.#journal.document(id);
      return document ? [{ kind: "run", document } as const] : [];
    });
    try {
      await this.#file.append(lines, runs);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      return new StoreError(`${failure.message}; the spool cannot be written either: ${reason}`, {
        code: failure.code,
        hint: failure.hint,
        cause,
      });
    }
    return new StoreError(`${failure.message}; it is kept in the spool file "${this.#file.path ?? ""}"`, {
      code: "result-spooled",
      path: [this.#location.shown],
      hint: RECOVER,
      cause: failure,
    });
  }
}
