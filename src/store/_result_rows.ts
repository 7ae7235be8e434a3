import type { InStatement } from "@libsql/client";
import { resultFrom, summaryFrom } from "./_rows.ts";
import { insertionInRun, json, text } from "./_values.ts";
import { redactedResult } from "./redacted.ts";
import type { NewResult, ResultRecord } from "./types.ts";

/** Parts of a result that are stored as JSON, in a table of their own. */
export const DETAILS = [
  "transcript",
  "verdicts",
  "checks",
  "nodes_visited",
  "tools_called",
  "variables",
  "usage",
] as const satisfies readonly (keyof NewResult)[];

/** The record of a result, redacted and in the form in which it is read again; throws for what could not be stored. */
export function newResultRecord(id: string, runId: string, given: NewResult): ResultRecord {
  const result = redactedResult(given);
  return resultFrom({
    id,
    run_id: runId,
    scenario: text(result.scenario),
    trial: result.trial ?? 1,
    status: result.status,
    started_at: result.started_at ?? startOf(result),
    turn_count: result.turn_count,
    duration_ms: result.duration_ms,
    end_reason: result.end_reason,
    error_message: result.error_message === null ? null : text(result.error_message),
    ...detailsOf(result),
  });
}

/** Statements that add results whose runs are there, and a last one that says which of them are stored then. */
export function resultInsertions(records: readonly ResultRecord[]): readonly InStatement[] {
  const ids = records.map(({ id }) => id);
  return [
    ...records.flatMap((record) => {
      const { id, run_id } = record;
      return [
        insertionInRun("callweave_results", { ...summaryFrom({ ...record }) }, run_id),
        insertionInRun("callweave_result_details", { result_id: id, ...detailsOf(record) }, run_id),
      ];
    }),
    { sql: `SELECT id FROM callweave_results WHERE id IN (${ids.map(() => "?").join(", ")})`, args: ids },
  ];
}

/** About how many bytes a result takes on its way to the database. */
export function sizeOf(record: ResultRecord): number {
  return Object.values(detailsOf(record)).reduce((sum, text) => sum + text.length, 0);
}

function detailsOf(result: NewResult) {
  return Object.fromEntries(DETAILS.map((name) => [name, json(result[name])]));
}

function startOf({ duration_ms }: NewResult): string {
  return new Date(Date.now() - (Number.isFinite(duration_ms) ? duration_ms : 0)).toISOString();
}
