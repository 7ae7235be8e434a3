import * as v from "valibot";
import { createRedactor } from "../../base/redaction/mod.ts";
import type { Database } from "./database/mod.ts";
import type { CallLabel } from "./records.ts";
import { createIdSource } from "./repositories.ts";
import type { WaitOptions } from "./types.ts";

const COLUMNS = "turn, criterion, verdict, what, words, author, at";

const LabelRow = v.object({
  call: v.string(),
  turn: v.nullable(v.number()),
  criterion: v.nullable(v.string()),
  verdict: v.picklist(["good", "bad"]),
  what: v.nullable(v.string()),
  words: v.nullable(v.string()),
  author: v.string(),
  at: v.string(),
});

/** Reads what people said of the calls of a run, oldest first. */
export async function readLabels(
  database: Database,
  runId: string,
  { signal }: WaitOptions = {},
): Promise<readonly CallLabel[]> {
  const sql = `SELECT call, ${COLUMNS} FROM callweave_labels
    WHERE call IN (SELECT id FROM callweave_results WHERE run_id = ?) ORDER BY at`;
  const { rows } = await database.read({ sql, args: [runId] }, { action: "read labels of", signal });
  return rows.map((row) => {
    const { author: by, ...label } = v.parse(LabelRow, { ...row });
    return { ...label, by };
  });
}

/** Stores labels. Of two that a person gave to the same place, the later one is kept. */
export async function writeLabels(
  database: Database,
  labels: readonly CallLabel[],
  { signal }: WaitOptions = {},
): Promise<void> {
  const places = new Map<string, CallLabel>();
  for (const label of createRedactor().value(labels)) {
    const place = JSON.stringify([label.call, label.by, label.turn, label.criterion]);
    const other = places.get(place);
    if (other === undefined || other.at <= label.at) places.set(place, label);
  }
  const nextId = createIdSource();
  const statements = [...places.values()].map(({ call, turn, criterion, verdict, what, words, by, at }) => ({
    sql: `INSERT INTO callweave_labels (id, call, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    args: [nextId(), call, turn, criterion, verdict, what, words, by, at],
  }));
  if (statements.length > 0) await database.write(statements, { action: "store labels in", signal });
}
