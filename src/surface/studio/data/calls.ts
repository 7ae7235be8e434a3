import * as v from "valibot";
import type { Query, StudioAnswer } from "../api/mod.ts";
import type { StudioData } from "./open_data.ts";
import { CALL_COLUMNS, CALL_TABLES, callFrom, pageFrom, where } from "./rows.ts";

/** Lists calls, newest first. */
export async function listCalls({ database }: StudioData, query: Query<"calls">): Promise<StudioAnswer<"calls">> {
  const limit = query.limit;
  const { sql, args } = where([
    ["o.id < ?", query.cursor],
    ["o.run_id = ?", query.run],
    ["o.scenario = ?", query.scenario],
    ["o.status = ?", query.status],
  ]);
  const { rows } = await database.read(
    { sql: `SELECT ${CALL_COLUMNS} FROM ${CALL_TABLES}${sql} ORDER BY o.id DESC LIMIT ?`, args: [...args, limit + 1] },
    { action: "list results of" },
  );
  return pageFrom(rows.map(callFrom), limit, ({ id }) => id);
}

/** The calls before and after a call in its run. */
export interface Neighbours {
  readonly previous: string | null;
  readonly next: string | null;
  readonly score: number | null;
}

const NeighboursRow = v.object({
  previous: v.nullable(v.string()),
  next: v.nullable(v.string()),
  score: v.nullable(v.number()),
});

/** Finds the neighbours of a call, and its score. */
export async function readNeighbours({ database }: StudioData, runId: string, id: string): Promise<Neighbours> {
  const beside = (what: string) => `(SELECT ${what}(id) FROM callweave_results WHERE run_id = ?1 AND id`;
  const sql = `SELECT ${beside("max")} < ?2) AS previous, ${beside("min")} > ?2) AS next,
    (SELECT score FROM callweave_call_facts WHERE result_id = ?2) AS score`;
  const { rows } = await database.read({ sql, args: [runId, id] }, { action: "find results of" });
  return v.parse(NeighboursRow, { ...rows[0] });
}
