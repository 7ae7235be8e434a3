import { StoreError } from "../../../base/errors.ts";
import { type Location, storeError } from "../database/mod.ts";
import type { ResultRecord } from "../records.ts";
import type { StoreStatus } from "../types.ts";
import type { Journal, SpoolFile, SpoolLine } from "./spool_file.ts";

/** Returns warnings about spool files that are not in the database, one sentence each. */
export function spoolWarnings({ unreadable, recoveryError }: StoreStatus): readonly string[] {
  return [
    ...unreadable.map(
      (file) =>
        `Results of an earlier run in "${file}" are not in the database: repair the file's lines and rename it to end with .jsonl, or delete it`,
    ),
    ...(recoveryError === null
      ? []
      : [`Results of earlier runs are still in the spool: ${recoveryError}; retry with "callweave runs recover"`]),
  ];
}

/** Hint for results in a spool file. */
const RECOVER =
  'Run "callweave runs recover" when the database is available; the next run that stores there also writes them';

/** Writes results that the database rejects or misses to a spool file. */
export class ResultSpool {
  readonly #journal: Journal;
  readonly #location: Location;
  readonly #file: SpoolFile | undefined;
  readonly #displaced = { spooled: 0, lost: 0 };

  /** @param file Absent: nothing is spooled. */
  constructor(journal: Journal, location: Location, file: SpoolFile | undefined) {
    this.#journal = journal;
    this.#location = location;
    this.#file = file;
  }

  /** Number of results that the database lost, by where they are now. */
  get displaced(): { readonly spooled: number; readonly lost: number } {
    return { ...this.#displaced };
  }

  /** Path of the spool file; `null` when nothing was spooled. */
  get path(): string | null {
    return this.#file?.path ?? null;
  }

  /**
   * Spools results.
   *
   * @param failure Why the database does not have them.
   * @returns The error for the callers: `result-spooled`, or `failure` when the spool file cannot be written either.
   */
  async take(records: readonly ResultRecord[], failure: StoreError): Promise<StoreError> {
    const lines = records.map((record): SpoolLine => ({ kind: "result", record }));
    return await this.#append(lines, new Set(records.map(({ runId }) => runId)), failure);
  }

  /**
   * Spools the finish time of a run and, with `everything`, the results that the database lost.
   *
   * @param at Absent when the run is not finished.
   * @param part The part of the run that is finished; absent when the run is not split.
   */
  async takeRun(
    runId: string,
    {
      at,
      part,
      everything,
    }: { readonly at?: string; readonly part?: number | undefined; readonly everything: boolean },
    failure: StoreError,
  ): Promise<StoreError> {
    const records = everything ? this.#journal.stored(runId) : [];
    const outcome = await this.#append(
      [
        ...records.map((record): SpoolLine => ({ kind: "result", record })),
        ...(at === undefined ? [] : [{ kind: "finished", runId, at, part } as const]),
      ],
      new Set([runId]),
      failure,
    );
    if (outcome.code === "result-spooled") this.#displaced.spooled += records.length;
    else this.#displaced.lost += records.length;
    if (everything) this.#journal.finish(runId);
    return outcome;
  }

  /** Spools every unfinished run with the results that the database lost. */
  async takeAll(error: unknown): Promise<void> {
    const failure = storeError("close", error, { location: this.#location, code: "store-failed" });
    for (const runId of this.#journal.runIds()) await this.takeRun(runId, { everything: true }, failure);
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
      return new StoreError(`${failure.message}; the spool file cannot be written either: ${reason}`, {
        code: failure.code,
        hint: failure.hint,
        cause,
      });
    }
    return new StoreError(`${failure.message}; the result is in the spool file "${this.#file.path ?? ""}"`, {
      code: "result-spooled",
      path: [this.#location.shown],
      hint: RECOVER,
      cause: failure,
    });
  }
}
