import { StoreError } from "../errors.ts";
import type { Database } from "./_database.ts";
import { storeError } from "./_errors.ts";
import { readPages } from "./_pages.ts";
import { resultFrom, summaryFrom } from "./_rows.ts";
import { conditions, insertionInRun, json, rowLimit, text } from "./_values.ts";
import type { NewResult, ResultQuery, ResultRecord, ResultSummary, WaitOptions } from "./types.ts";

const SUMMARY = "id, run_id, scenario, trial, status, started_at, turn_count, duration_ms, end_reason, error_message";
const DETAILS = "transcript, verdicts, checks, nodes_visited, tools_called, variables, usage";
const FULL = `SELECT ${SUMMARY}, ${DETAILS} FROM callweave_results JOIN callweave_result_details ON result_id = id`;

/** The results of a database. */
export class ResultRepository {
  readonly #database: Database;
  readonly #nextId: () => string;

  constructor(database: Database, nextId: () => string) {
    this.#database = database;
    this.#nextId = nextId;
  }

  async add(runId: string, result: NewResult, { signal }: WaitOptions): Promise<ResultRecord> {
    const work = { action: "store result in", signal };
    const { summary, details, record } = this.#checked(work.action, () => {
      const summary = {
        id: this.#nextId(),
        run_id: runId,
        scenario: text(result.scenario),
        trial: result.trial ?? 1,
        status: result.status,
        started_at: result.started_at ?? startOf(result),
        turn_count: result.turn_count,
        duration_ms: result.duration_ms,
        end_reason: result.end_reason,
        error_message: result.error_message === null ? null : text(result.error_message),
      };
      const details = {
        transcript: json(result.transcript),
        verdicts: json(result.verdicts),
        checks: json(result.checks),
        nodes_visited: json(result.nodes_visited),
        tools_called: json(result.tools_called),
        variables: json(result.variables),
        usage: json(result.usage),
      };
      return { summary, details, record: resultFrom({ ...summary, ...details }) };
    });
    const stored = await this.#database.write(
      [
        insertionInRun("callweave_results", summary, runId),
        insertionInRun("callweave_result_details", { result_id: summary.id, ...details }, runId),
        { sql: "SELECT 1 FROM callweave_results WHERE id = ?", args: [summary.id] },
      ],
      work,
    );
    if (stored.at(-1)?.rows.length === 1) return record;
    throw new StoreError(`Cannot store result: there is no run "${runId}" in "${this.#database.location.shown}"`, {
      code: "unknown-run",
      hint: "Pass the id that startRun() has given",
    });
  }

  async list({ signal, limit, before, run_id, scenario, status }: ResultQuery): Promise<readonly ResultSummary[]> {
    const work = { action: "list results of", signal };
    const { where, args } = conditions([
      ["id <", before],
      ["run_id =", run_id],
      ["scenario =", scenario],
      ["status =", status],
    ]);
    const sql = `SELECT ${SUMMARY} FROM callweave_results${where} ORDER BY id DESC LIMIT ?`;
    const { rows } = await this.#database.read({ sql, args: [...args, rowLimit(limit)] }, work);
    return this.#checked(work.action, () => rows.map(summaryFrom));
  }

  async find(id: string, { signal }: WaitOptions): Promise<ResultRecord | undefined> {
    const work = { action: "read result of", signal };
    const { rows } = await this.#database.read({ sql: `${FULL} WHERE id = ?`, args: [text(String(id))] }, work);
    return this.#checked(work.action, () => (rows[0] ? resultFrom(rows[0]) : undefined));
  }

  /** All results of a run, oldest first; read in parts that a server is willing to send. */
  async ofRun(runId: string, { signal }: WaitOptions): Promise<readonly ResultRecord[]> {
    const work = { action: "read results of", signal };
    const sql = `${FULL} WHERE run_id = ? AND id > ? ORDER BY id LIMIT ?`;
    const rows = await readPages(this.#database, { sql, args: [runId], column: "id" }, work);
    return this.#checked(work.action, () => rows.map(resultFrom));
  }

  #checked<Result>(action: string, make: () => Result): Result {
    try {
      return make();
    } catch (error) {
      throw storeError(action, error, { location: this.#database.location, code: "store-failed" });
    }
  }
}

function startOf({ duration_ms }: NewResult): string {
  return new Date(Date.now() - (Number.isFinite(duration_ms) ? duration_ms : 0)).toISOString();
}
