import type { InValue } from "@libsql/client";
import * as v from "valibot";
import { wilson } from "../../../base/statistics/mod.ts";
import type { StudioAnswer, StudioCallSummary } from "../api/mod.ts";

/** Conditions of a query whose value is given, and their values. */
export function where(conditions: readonly (readonly [sql: string, value: InValue | undefined])[]): {
  readonly sql: string;
  readonly args: InValue[];
} {
  const given = conditions.flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, value }]));
  return {
    sql: given.length === 0 ? "" : ` WHERE ${given.map(({ sql }) => sql).join(" AND ")}`,
    args: given.map(({ value }) => value),
  };
}

/** What a query of calls selects; `o` is the result, `r` its run, `f` its facts. */
export const CALL_COLUMNS = `o.id AS id, o.run_id AS run_id, r.agent AS agent, o.scenario AS scenario, o.trial AS trial,
  o.attempt AS attempt, o.status AS status, o.started_at AS started_at, o.turn_count AS turn_count,
  o.duration_ms AS duration_ms, o.end_reason AS end_reason, o.error_message AS error_message, f.score AS score`;

/** The tables of {@link CALL_COLUMNS}. */
export const CALL_TABLES = `callweave_results AS o JOIN callweave_runs AS r ON r.id = o.run_id
  LEFT JOIN callweave_call_facts AS f ON f.result_id = o.id`;

const STATUS = v.picklist(["pass", "fail", "error", "imported", "cancelled", "invalid"]);

const CallRow = v.object({
  id: v.string(),
  run_id: v.string(),
  agent: v.string(),
  scenario: v.string(),
  trial: v.number(),
  attempt: v.nullable(v.number()),
  status: STATUS,
  started_at: v.string(),
  turn_count: v.number(),
  duration_ms: v.number(),
  end_reason: v.nullable(v.string()),
  error_message: v.nullable(v.string()),
  score: v.nullable(v.number()),
});

/** A call of a row that has {@link CALL_COLUMNS}. */
export function callFrom(row: object): StudioCallSummary {
  const call = v.parse(CallRow, { ...row });
  return {
    id: call.id,
    runId: call.run_id,
    agent: call.agent,
    scenario: call.scenario,
    trial: call.trial,
    attempt: call.attempt,
    status: call.status,
    startedAt: call.started_at,
    turnCount: call.turn_count,
    durationMs: call.duration_ms,
    endReason: call.end_reason,
    errorMessage: call.error_message,
    score: call.score,
  };
}

/** A pass rate with its interval. */
export function rateOf(passes: number, trials: number): StudioAnswer<"run">["passRate"] {
  if (trials === 0) return { passes, trials, rate: null, low: null, high: null };
  const { low, high } = wilson(passes, trials);
  return { passes, trials, rate: passes / trials, low, high };
}

/** A page of a list of which one item more than asked was read. */
export function pageFrom<Item>(
  items: readonly Item[],
  limit: number,
  cursorOf: (item: Item) => string,
): { items: Item[]; nextCursor: string | null } {
  const page = items.slice(0, limit);
  const last = page.at(-1);
  return { items: page, nextCursor: items.length > limit && last !== undefined ? cursorOf(last) : null };
}
