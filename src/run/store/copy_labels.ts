import type { Row } from "@libsql/client";
import type { Database } from "./database/mod.ts";
import { createIdSource } from "./repositories.ts";

const COLUMNS = "turn, criterion, verdict, what, words, author, at";

/** Reads what people said of the calls of a run. */
export async function readLabels(database: Database, runId: string): Promise<readonly Row[]> {
  const sql = `SELECT call, ${COLUMNS} FROM callweave_labels
    WHERE call IN (SELECT id FROM callweave_results WHERE run_id = ?) ORDER BY at`;
  return (await database.read({ sql, args: [runId] }, { action: "read labels of" })).rows;
}

/**
 * Stores labels of calls that were merged. Of two that a person gave to the same place, the later one is kept.
 *
 * @param ids The new ids of the calls, by their old ones.
 * @returns The number of labels.
 */
export async function writeLabels(
  database: Database,
  labels: readonly Row[],
  ids: ReadonlyMap<string, string>,
): Promise<number> {
  const places = new Map<string, { readonly call: string; readonly label: Row }>();
  for (const label of labels) {
    const call = ids.get(String(label.call));
    if (call === undefined) continue;
    const place = JSON.stringify([call, label.author, label.turn, label.criterion]);
    const other = places.get(place);
    if (other === undefined || String(other.label.at) <= String(label.at)) places.set(place, { call, label });
  }
  const nextId = createIdSource();
  const statements = [...places.values()].map(({ call, label }) => ({
    sql: `INSERT INTO callweave_labels (id, call, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    args: [nextId(), call, ...COLUMNS.split(", ").map((name) => label[name] ?? null)],
  }));
  if (statements.length > 0) await database.write(statements, { action: "store labels in" });
  return statements.length;
}
