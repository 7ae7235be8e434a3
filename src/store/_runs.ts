import { StoreError } from "../errors.ts";
import { type AgentGraph, fingerprint } from "../graph/mod.ts";
import type { Database } from "./_database.ts";
import { storeError } from "./_errors.ts";
import { isIdPrefix } from "./_ids.ts";
import { graphFrom, runFrom } from "./_rows.ts";
import { conditions, insertion, json, rowLimit, text } from "./_values.ts";
import { type NewRun, RESULT_STATUSES, type RunQuery, type RunRecord, type WaitOptions } from "./types.ts";

const COLUMNS = `id, kind, started_at, finished_at, agent, graph_fingerprint, models, options, ${RESULT_STATUSES.join(", ")}`;

const NO_RESULTS = Object.fromEntries(RESULT_STATUSES.map((status) => [status, 0]));

/** The runs of a database. */
export class RunRepository {
  readonly #database: Database;
  readonly #nextId: () => string;

  constructor(database: Database, nextId: () => string) {
    this.#database = database;
    this.#nextId = nextId;
  }

  async add(run: NewRun, { signal }: WaitOptions): Promise<RunRecord> {
    const work = { action: "store run in", signal };
    const { row, record, document } = this.#checked(work.action, () => {
      const row = {
        id: this.#nextId(),
        kind: run.kind,
        started_at: run.started_at ?? new Date().toISOString(),
        finished_at: null,
        agent: text(run.agent),
        graph_fingerprint: fingerprint(run.graph),
        models: json(run.models),
        options: json(run.options),
      };
      return { row, record: runFrom({ ...row, ...NO_RESULTS }), document: json(run.graph) };
    });
    await this.#database.write(
      [
        {
          sql: "INSERT INTO callweave_graphs (fingerprint, document) VALUES (?, ?) ON CONFLICT DO NOTHING",
          args: [row.graph_fingerprint, document],
        },
        insertion("callweave_runs", row),
      ],
      work,
    );
    return record;
  }

  async finish(id: string, finishedAt: string, { signal }: WaitOptions): Promise<RunRecord> {
    const work = { action: "finish run in", signal };
    const results = await this.#database.write(
      [
        { sql: "UPDATE callweave_runs SET finished_at = ? WHERE id = ?", args: [finishedAt, id] },
        { sql: `SELECT ${COLUMNS} FROM callweave_runs WHERE id = ?`, args: [id] },
      ],
      work,
    );
    const row = results.at(-1)?.rows[0];
    return row ? this.#checked(work.action, () => runFrom(row)) : this.#unknown(id);
  }

  async list({ signal, limit, before, kind, agent, graph_fingerprint }: RunQuery): Promise<readonly RunRecord[]> {
    const work = { action: "list runs of", signal };
    const { where, args } = conditions([
      ["id <", before],
      ["kind =", kind],
      ["agent =", agent],
      ["graph_fingerprint =", graph_fingerprint],
    ]);
    const sql = `SELECT ${COLUMNS} FROM callweave_runs${where} ORDER BY id DESC LIMIT ?`;
    const { rows } = await this.#database.read({ sql, args: [...args, rowLimit(limit)] }, work);
    return this.#checked(work.action, () => rows.map(runFrom));
  }

  async find(idOrPrefix: string, { signal }: WaitOptions): Promise<RunRecord> {
    const prefix = String(idOrPrefix).trim().toLowerCase();
    if (!isIdPrefix(prefix)) return this.#unknown(idOrPrefix);
    const work = { action: "find run in", signal };
    // "~" comes after every character of an id.
    const sql = `SELECT ${COLUMNS} FROM callweave_runs WHERE id >= ? AND id < ? ORDER BY id LIMIT 2`;
    const { rows } = await this.#database.read({ sql, args: [prefix, `${prefix}~`] }, work);
    const [row, another] = rows;
    if (!row) return this.#unknown(idOrPrefix);
    if (another) throw this.#ambiguous(idOrPrefix);
    return this.#checked(work.action, () => runFrom(row));
  }

  async graph(run: RunRecord, { signal }: WaitOptions): Promise<AgentGraph> {
    const work = { action: "read graph of", signal };
    const sql = "SELECT document FROM callweave_graphs WHERE fingerprint = ?";
    const { rows } = await this.#database.read({ sql, args: [run.graph_fingerprint] }, work);
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
    throw new StoreError(`Cannot find run "${id}": there is none in "${this.#database.location.shown}"`, {
      code: "unknown-run",
      hint: "List the runs to see their ids; check that it is the right database",
    });
  }

  #ambiguous(prefix: string): StoreError {
    return new StoreError(`Cannot find run "${prefix}": several ids begin with it`, {
      code: "unknown-run",
      hint: "Give more characters of the id",
    });
  }
}
