import type { InStatement } from "@libsql/client";
import { type Database, readRowPages, storeError } from "./database/mod.ts";
import type { NewResult, ResultRecord } from "./records.ts";
import { batchesOf, json, newResultRecord, resultDocument, resultFromDocument } from "./rows/mod.ts";
import type { WaitOptions } from "./types.ts";

/** Keeps finished calls that wait for their verdicts, unless their result is stored meanwhile. */
export async function keepUnjudged(
  database: Database,
  {
    runId,
    calls,
    nextId,
  }: { readonly runId: string; readonly calls: readonly NewResult[]; readonly nextId: () => string },
  { signal }: WaitOptions,
): Promise<void> {
  const work = { action: "keep calls in", signal };
  const records = checked(database, work.action, () =>
    calls.map((call) => newResultRecord(call.id ?? nextId(), runId, call)),
  );
  for (const batch of batchesOf(records)) await database.write(batch.map(keeping), work);
}

/** Returns the calls of a run that still wait for their verdicts. */
export async function unjudgedCalls(
  database: Database,
  runId: string,
  { signal }: WaitOptions,
): Promise<readonly ResultRecord[]> {
  const work = { action: "read calls of", signal };
  const sql = "SELECT id, document FROM callweave_unjudged_calls WHERE run_id = ? AND id > ? ORDER BY id LIMIT ?";
  const rows = await readRowPages(database, { sql, args: [runId], column: "id" }, work);
  return checked(database, work.action, () =>
    rows.map(({ document }) => resultFromDocument(JSON.parse(String(document)))),
  );
}

function keeping(record: ResultRecord): InStatement {
  const { id, runId, scenario, trial, attempt = null } = record;
  return {
    sql: `INSERT INTO callweave_unjudged_calls (id, run_id, scenario, trial, document) SELECT ?, id, ?, ?, ?
      FROM callweave_runs WHERE id = ? AND NOT EXISTS (SELECT 1 FROM callweave_results
        WHERE run_id = ? AND scenario = ? AND trial = ? AND attempt = ? AND status <> 'cancelled')
      ON CONFLICT (run_id, scenario, trial) DO UPDATE SET id = excluded.id, document = excluded.document`,
    args: [id, scenario, trial, json(resultDocument(record)), runId, runId, scenario, trial, attempt],
  };
}

function checked<Result>({ location }: Database, action: string, make: () => Result): Result {
  try {
    return make();
  } catch (error) {
    throw storeError(action, error, { location, code: "store-failed" });
  }
}
