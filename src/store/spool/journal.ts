import type { RunDocument } from "../rows/mod.ts";
import type { ResultRecord } from "../types.ts";

interface OpenRun {
  readonly document: RunDocument;
  readonly stored: Map<string, ResultRecord>;
}

/**
 * What a store has written of the runs that are not finished. When the database loses it, because its file was deleted
 * or its server started without its data, it is written again from here.
 */
export class Journal {
  readonly #runs = new Map<string, OpenRun>();

  start(document: RunDocument): void {
    this.#runs.set(document.run.id, { document, stored: new Map() });
  }

  /** Remembers results that the database has taken. */
  keep(records: readonly ResultRecord[]): void {
    for (const record of records) this.#runs.get(record.runId)?.stored.set(record.id, record);
  }

  finish(runId: string): void {
    this.#runs.delete(runId);
  }

  has(runId: string): boolean {
    return this.#runs.has(runId);
  }

  document(runId: string): RunDocument | undefined {
    return this.#runs.get(runId)?.document;
  }

  /** The results of a run that the database has taken. */
  stored(runId: string): readonly ResultRecord[] {
    return [...(this.#runs.get(runId)?.stored.values() ?? [])];
  }

  /** Ids of the runs that are not finished. */
  runIds(): readonly string[] {
    return [...this.#runs.keys()];
  }

  /** Everything that has to be in the database. */
  contents(): readonly { readonly document: RunDocument; readonly results: readonly ResultRecord[] }[] {
    return [...this.#runs.values()].map(({ document, stored }) => ({ document, results: [...stored.values()] }));
  }
}
