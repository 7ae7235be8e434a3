import * as v from "valibot";
import { parsedJson } from "../../../base/values/mod.ts";
import { type Query, SCHEMAS, type StudioAnswer } from "../api/mod.ts";
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

const MOST_REPETITIONS = 20;
/** Runs that are looked through for repetitions: the newest ones. */
const MOST_REPLAYS = 1_000;

const { divergences: DIVERGENCES, ...repeated } = SCHEMAS.call.answer.entries.repetitions.item.entries;
const RepetitionRow = v.object({ ...repeated, divergences: v.string() });

/** Finds the calls in which the caller's words of a call were said again, newest first. */
export async function readRepetitions(
  { database }: StudioData,
  { runId, id, scenario }: { readonly runId: string; readonly id: string; readonly scenario: string },
): Promise<StudioAnswer<"call">["repetitions"]> {
  const sql = `SELECT o.id AS call, o.run_id AS run, o.status AS status, o.started_at AS startedAt,
      json_extract(d.extra, '$.replay.divergences') AS divergences
    FROM (SELECT id, options FROM callweave_runs WHERE kind = 'replay' ORDER BY id DESC LIMIT ${MOST_REPLAYS}) AS r
    JOIN callweave_results AS o ON o.run_id = r.id AND o.scenario = ?2
    JOIN callweave_result_details AS d ON d.result_id = o.id
    WHERE json_extract(r.options, '$.replay.of') = ?1 AND json_extract(d.extra, '$.replay.ofResult') = ?3
    ORDER BY o.id DESC LIMIT ${MOST_REPETITIONS}`;
  const { rows } = await database.read({ sql, args: [runId, scenario, id] }, { action: "find results of" });
  return rows.map((row) => {
    const { divergences, ...rest } = v.parse(RepetitionRow, { ...row });
    return { ...rest, divergences: v.parse(DIVERGENCES, parsedJson(divergences)) };
  });
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
