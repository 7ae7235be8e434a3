import { type Database, readRowPages, storeError } from "./database/mod.ts";
import type { NewResult, ResultRecord, ResultSummary } from "./records.ts";
import {
  conditions,
  FULL_RESULT,
  newResultRecord,
  resultFrom,
  rowLimit,
  SUMMARY,
  storableText,
  summaryFrom,
} from "./rows/mod.ts";
import type { ResultQuery, WaitOptions } from "./types.ts";

/** Maximum number of ids in a query. */
const MOST_IDS = 200;

/** Sorts imported results by the time of their calls, then by their place in the source: their ids have no order. */
export function inOrderOfCalls(results: readonly ResultRecord[]): readonly ResultRecord[] {
  const keyOf = ({ startedAt, provenance }: ResultRecord) => [startedAt, provenance?.source ?? ""].join("\n");
  const placeOf = ({ provenance }: ResultRecord) => provenance?.position ?? 0;
  return results.toSorted((a, b) => compareTexts(keyOf(a), keyOf(b)) || placeOf(a) - placeOf(b));
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Reads the results of a database. */
export class ResultRepository {
  readonly #database: Database;
  readonly #nextId: () => string;

  constructor(database: Database, nextId: () => string) {
    this.#database = database;
    this.#nextId = nextId;
  }

  /** Builds the record of a new result. The writer stores it. */
  record(runId: string, result: NewResult): ResultRecord {
    return this.#checked("store result in", () => newResultRecord(result.id ?? this.#nextId(), runId, result));
  }

  async list({ signal, limit, before, runId, scenario, status }: ResultQuery): Promise<readonly ResultSummary[]> {
    const work = { action: "list results of", signal };
    const { where, args } = conditions([
      ["id <", before],
      ["run_id =", runId],
      ["scenario =", scenario],
      ["status =", status],
    ]);
    const sql = `SELECT ${SUMMARY} FROM callweave_results${where} ORDER BY id DESC LIMIT ?`;
    const { rows } = await this.#database.read({ sql, args: [...args, rowLimit(limit)] }, work);
    return this.#checked(work.action, () => rows.map(summaryFrom));
  }

  async find(id: string, { signal }: WaitOptions): Promise<ResultRecord | undefined> {
    const work = { action: "read result of", signal };
    const { rows } = await this.#database.read(
      { sql: `${FULL_RESULT} WHERE id = ?`, args: [storableText(String(id))] },
      work,
    );
    return this.#checked(work.action, () => (rows[0] ? resultFrom(rows[0]) : undefined));
  }

  /** Returns those of the ids that are stored. */
  async known(ids: readonly string[], { signal }: WaitOptions): Promise<ReadonlySet<string>> {
    const work = { action: "find results of", signal };
    const found = new Set<string>();
    for (let from = 0; from < ids.length; from += MOST_IDS) {
      const args = ids.slice(from, from + MOST_IDS);
      const sql = `SELECT id FROM callweave_results WHERE id IN (${args.map(() => "?").join(", ")})`;
      for (const { id } of (await this.#database.read({ sql, args }, work)).rows) found.add(String(id));
    }
    return found;
  }

  /** Returns all results of a run, oldest first. Reads in pages that fit into a server's response. */
  async ofRun(runId: string, { signal }: WaitOptions): Promise<readonly ResultRecord[]> {
    const work = { action: "read results of", signal };
    const sql = `${FULL_RESULT} WHERE run_id = ? AND id > ? ORDER BY id LIMIT ?`;
    const rows = await readRowPages(this.#database, { sql, args: [runId], column: "id" }, work);
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
