import { randomBytes } from "node:crypto";
import type { InStatement, Row } from "@libsql/client";
import { StoreError } from "../../base/errors.ts";
import type { AgentGraph } from "../../document/graph/mod.ts";
import { RESULT_STATUSES, type ResultStatus } from "../../document/transcript/mod.ts";
import { type Database, readRowPages, storeError } from "./database/mod.ts";
import type {
  JudgedResult,
  NewResult,
  NewRun,
  ResultRecord,
  ResultSummary,
  RunRecord,
  ScenarioCounts,
  StoredCounts,
} from "./records.ts";
import {
  conditions,
  FULL_RESULT,
  graphFrom,
  JUDGED_RESULT,
  judgedFrom,
  newResultRecord,
  newRunDocument,
  type RunDocument,
  resultFrom,
  rowLimit,
  runFinish,
  runFrom,
  runInsertions,
  SUMMARY,
  storableText,
  summaryFrom,
} from "./rows/mod.ts";
import { namedRun, RUN_COLUMNS, refuseOther, resumption, sharedRunFrom, storedRun } from "./shared_runs.ts";
import type { JudgedQuery, ResultQuery, RunQuery, WaitOptions } from "./types.ts";

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

  /** Returns the results of imported runs from a time on. Reads no transcripts. */
  async judged({ signal, since = "" }: JudgedQuery): Promise<readonly JudgedResult[]> {
    const work = { action: "read results of", signal };
    const sql = `${JUDGED_RESULT} AND o.started_at >= ? AND o.id > ? ORDER BY o.id LIMIT ?`;
    const rows = await readRowPages(this.#database, { sql, args: [since], column: "id" }, work);
    return this.#checked(work.action, () => rows.map(judgedFrom));
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

// Crockford's base-32 alphabet: sorted, and without i, l, o and u, which are easily misread
const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";

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
        { sql: "DELETE FROM callweave_unjudged_calls WHERE run_id = ?", args: [id] },
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
const TIME_DIGITS = 10;
const RANDOM_DIGITS = 10;
// Ids created in the same millisecond keep their order. 10 digits (50 bits) hold the time in these steps until 2109.
const STEPS_PER_MS = 256;

/**
 * Creates a source of ids such as `0d9rk6t4h0x7w2p5ez1n`. Ids sort by creation time, also within a millisecond, and are
 * unique across processes (50 random bits).
 */
export function createIdSource(now: () => number = Date.now): () => string {
  let last = 0;
  return () => {
    last = Math.max(now() * STEPS_PER_MS, last + 1);
    const random = [...randomBytes(RANDOM_DIGITS)].map((byte) => DIGITS[byte % 32]).join("");
    return timeDigits(last) + random;
  };
}

/** Returns an id of the same form that depends only on the bytes, of which there are at least 20. It has no time. */
export function idFromBytes(bytes: Uint8Array): string {
  return [...bytes.subarray(0, TIME_DIGITS + RANDOM_DIGITS)].map((byte) => DIGITS[byte % 32]).join("");
}

/** Whether a text can be a prefix of an id. */
function isIdPrefix(text: string): boolean {
  return text.length > 0 && [...text].every((character) => DIGITS.includes(character));
}

function timeDigits(steps: number): string {
  let digits = "";
  for (let rest = steps; digits.length < TIME_DIGITS; rest = Math.floor(rest / 32)) digits = DIGITS[rest % 32] + digits;
  return digits;
}

const CRITERIA = `SELECT scenario, criterion, trials, passes, agrees, scores / nullif(scored, 0) AS mean_score
  FROM callweave_criteria WHERE run_id = ? ORDER BY first_result, place`;

/** `latest`: trials whose last attempt has this status. */
const STATUSES = `SELECT scenario, status, count(*) AS results, sum(place = 1) AS latest FROM (
    SELECT id, scenario, status,
      row_number() OVER (PARTITION BY scenario, trial ORDER BY coalesce(attempt, 1) DESC, id DESC) AS place
    FROM callweave_results WHERE run_id = ?)
  GROUP BY scenario, status ORDER BY min(id)`;

/** Counts a run's results and judged criteria in the database, so that no transcript is read. */
export async function countResults(
  database: Database,
  runId: string,
  { signal }: WaitOptions,
): Promise<readonly StoredCounts[]> {
  const work = { action: "count results of", signal };
  const [counted, judged] = await Promise.all([
    database.read({ sql: STATUSES, args: [runId] }, work),
    database.read({ sql: CRITERIA, args: [runId] }, work),
  ]);
  const scenarios = new Map<string, Found>();
  for (const { scenario, status, results, latest } of counted.rows) {
    const name = String(scenario);
    const found = scenarios.get(name) ?? { counts: new Map(), latest: new Map(), criteria: [] };
    found.counts.set(String(status), Number(results));
    found.latest.set(String(status), Number(latest));
    scenarios.set(name, found);
  }
  for (const { scenario, criterion, trials, passes, agrees, mean_score: meanScore } of judged.rows)
    scenarios.get(String(scenario))?.criteria.push({
      criterion: String(criterion),
      trials: Number(trials),
      passes: Number(passes),
      agrees: Number(agrees),
      meanScore: Number(meanScore),
    });
  return [...scenarios].map(([scenario, { counts, latest, criteria }]) => ({
    scenario,
    counts: countsFrom(counts),
    latest: countsFrom(latest),
    criteria,
  }));
}

interface Found {
  readonly counts: Map<string, number>;
  readonly latest: Map<string, number>;
  readonly criteria: ScenarioCounts["criteria"][number][];
}

function countsFrom(found: ReadonlyMap<string, number>): ScenarioCounts["counts"] {
  const counts: { [Status in ResultStatus]: number } = {
    pass: 0,
    fail: 0,
    error: 0,
    imported: 0,
    cancelled: 0,
    invalid: 0,
  };
  for (const status of RESULT_STATUSES) counts[status] = found.get(status) ?? 0;
  return counts;
}

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
