import type { ResultRecord } from "../records.ts";
import type { RunDocument } from "../rows/mod.ts";

interface OpenRun {
  /** How many times the run was started and not yet finished: several parts of it may use one store. */
  users: number;
  readonly document: RunDocument;
  readonly stored: Map<string, ResultRecord>;
}

/**
 * Results written for unfinished runs, kept in memory. If the database loses them, because its file was deleted or its
 * server lost its data, they are written again from here. Imported results are not kept: they may be more than fit into
 * memory, and can be imported again.
 */
export class Journal {
  readonly #runs = new Map<string, OpenRun>();

  start(document: RunDocument): void {
    const open = this.#runs.get(document.run.id);
    if (open) open.users++;
    else this.#runs.set(document.run.id, { users: 1, document, stored: new Map() });
  }

  /** Adds results that the database has stored. */
  keep(records: readonly ResultRecord[]): void {
    for (const record of records) {
      const open = this.#runs.get(record.runId);
      if (open?.document.run.kind !== "imported") open?.stored.set(record.id, record);
    }
  }

  finish(runId: string): void {
    const open = this.#runs.get(runId);
    if (open && --open.users === 0) this.#runs.delete(runId);
  }

  has(runId: string): boolean {
    return this.#runs.has(runId);
  }

  document(runId: string): RunDocument | undefined {
    return this.#runs.get(runId)?.document;
  }

  /** Returns the stored results of a run. */
  stored(runId: string): readonly ResultRecord[] {
    return [...(this.#runs.get(runId)?.stored.values() ?? [])];
  }

  /** Returns the ids of unfinished runs. */
  runIds(): readonly string[] {
    return [...this.#runs.keys()];
  }

  /** Returns everything that the database must contain. */
  contents(): readonly { readonly document: RunDocument; readonly results: readonly ResultRecord[] }[] {
    return [...this.#runs.values()].map(({ document, stored }) => ({ document, results: [...stored.values()] }));
  }
}
