import type { InStatement, Row } from "@libsql/client";
import { StoreError } from "../../base/errors.ts";
import type { AgentGraph } from "../../document/graph/mod.ts";
import { type Database, storeError } from "./database/mod.ts";
import { isIdPrefix } from "./ids.ts";
import type { NewRun, RunRecord } from "./records.ts";
import {
  conditions,
  graphFrom,
  newRunDocument,
  type RunDocument,
  rowLimit,
  runFinish,
  runFrom,
  runInsertions,
} from "./rows/mod.ts";
import { namedRun, RUN_COLUMNS, refuseOther, resumption, sharedRunFrom, storedRun } from "./shared_runs.ts";
import type { RunQuery, WaitOptions } from "./types.ts";

/** Reads and deletes the runs of a database. */
export class RunRepository {
  readonly #database: Database;
  readonly #nextId: () => string;

  constructor(database: Database, nextId: () => string) {
    this.#database = database;
    this.#nextId = nextId;
  }

  async add(run: NewRun, { signal }: WaitOptions): Promise<RunDocument> {
    const work = { action: "store run in", signal };
    const document = this.#checked(work.action, () => newRunDocument(this.#nextId(), run));
    const insertions = this.#checked(work.action, () => [...runInsertions(document)]);
    const { joinRun } = document.run;
    if (run.resume !== undefined) return await this.#resume(run.resume, document, signal);
    if (joinRun === undefined) {
      await this.#database.write(insertions, work);
      return document;
    }
    const named = namedRun(joinRun);
    const found = await this.#database.read(named, work);
    const [row] = found.rows;
    const other = row && this.#checked(work.action, () => sharedRunFrom(row));
    if (other) refuseOther(document, other, "join");
    const answers = await this.#database.write([...insertions, named], work); // another process may have been first
    const shared = this.#checked(work.action, () => sharedRunFrom(answers.at(-1)?.rows[0]));
    refuseOther(document, shared, "join");
    return { ...document, run: shared.run };
  }

  async #resume(idOrPrefix: string, document: RunDocument, signal: AbortSignal | undefined): Promise<RunDocument> {
    const work = { action: "resume run in", signal };
    const { id } = await this.find(idOrPrefix, { signal });
    const found = await this.#database.read(storedRun(id), work);
    refuseOther(
      document,
      this.#checked(work.action, () => sharedRunFrom(found.rows[0])),
      "resume",
    );
    const answers = await this.#database.write([...resumption(id, document.part)], work);
    const { run } = this.#checked(work.action, () => sharedRunFrom(answers.at(-1)?.rows[0]));
    return { ...document, run };
  }

  /** Returns statements that mark a run as finished. The last one returns its row. */
  finishing(id: string, finishedAt: string, part: number | undefined): InStatement[] {
    return [
      ...runFinish(id, finishedAt, { part }),
      { sql: `SELECT ${RUN_COLUMNS} FROM callweave_runs WHERE id = ?`, args: [id] },
    ];
  }

  /** Converts the row of a finished run; throws `unknown-run` when there is none. */
  finished(id: string, row: Row | undefined): RunRecord {
    return row ? this.#checked("finish run in", () => runFrom(row)) : this.#unknown(id);
  }

  /** Deletes a run, its results, and its graph unless another run uses it. */
  async delete(run: RunRecord, { signal }: WaitOptions): Promise<void> {
    const { id, graphFingerprint } = run;
    await this.#database.write(
      [
        {
          sql: `DELETE FROM callweave_result_details
            WHERE result_id IN (SELECT id FROM callweave_results WHERE run_id = ?)`,
          args: [id],
        },
        { sql: "DELETE FROM callweave_results WHERE run_id = ?", args: [id] },
        { sql: "DELETE FROM callweave_run_parts WHERE run_id = ?", args: [id] },
        { sql: "DELETE FROM callweave_runs WHERE id = ?", args: [id] },
        {
          sql: `DELETE FROM callweave_graphs WHERE fingerprint = ?
            AND NOT EXISTS (SELECT 1 FROM callweave_runs WHERE graph_fingerprint = fingerprint)`,
          args: [graphFingerprint],
        },
      ],
      { action: "delete run in", signal },
    );
  }

  async list({ signal, limit, before, kind, agent, graphFingerprint }: RunQuery): Promise<readonly RunRecord[]> {
    const work = { action: "list runs of", signal };
    const { where, args } = conditions([
      ["id <", before],
      ["kind =", kind],
      ["agent =", agent],
      ["graph_fingerprint =", graphFingerprint],
    ]);
    const sql = `SELECT ${RUN_COLUMNS} FROM callweave_runs${where} ORDER BY id DESC LIMIT ?`;
    const { rows } = await this.#database.read({ sql, args: [...args, rowLimit(limit)] }, work);
    return this.#checked(work.action, () => rows.map(runFrom));
  }

  async find(idOrPrefix: string, { signal }: WaitOptions): Promise<RunRecord> {
    const prefix = String(idOrPrefix).trim().toLowerCase();
    if (!isIdPrefix(prefix)) return this.#unknown(idOrPrefix);
    const work = { action: "find run in", signal };
    // "~" sorts after every character of an id
    const sql = `SELECT ${RUN_COLUMNS} FROM callweave_runs WHERE id >= ? AND id < ? ORDER BY id LIMIT 2`;
    const { rows } = await this.#database.read({ sql, args: [prefix, `${prefix}~`] }, work);
    const [row, another] = rows;
    if (!row) return this.#unknown(idOrPrefix);
    if (another) throw this.#ambiguous(idOrPrefix);
    return this.#checked(work.action, () => runFrom(row));
  }

  async graph(run: RunRecord, { signal }: WaitOptions): Promise<AgentGraph> {
    const work = { action: "read graph of", signal };
    const sql = "SELECT document FROM callweave_graphs WHERE fingerprint = ?";
    const { rows } = await this.#database.read({ sql, args: [run.graphFingerprint] }, work);
    return this.#checked(work.action, () => graphFrom(rows[0]));
  }

  #checked<Result>(action: string, make: () => Result): Result {
    try {
      return make();
    } catch (error) {
      throw storeError(action, error, { location: this.#database.location, code: "store-failed" });
    }
  }

  #unknown(id: string): never {
    throw new StoreError(`Cannot find run "${id}": it does not exist in "${this.#database.location.shown}"`, {
      code: "unknown-run",
      hint: "List the runs to see their ids; check that it is the right database",
    });
  }

  #ambiguous(prefix: string): StoreError {
    return new StoreError(`Cannot find run "${prefix}": several ids begin with it`, {
      code: "unknown-run",
      hint: "Pass a longer prefix",
    });
  }
}
