import type { InStatement } from "@libsql/client";
import type { NewResult, ResultRecord } from "../types.ts";
import { type DetailDocuments, detailDocuments, summaryColumns } from "./documents.ts";
import { redactedResult } from "./redacted.ts";
import { resultFrom } from "./rows.ts";
import { insertionInRun, json, text } from "./values.ts";

/** Columns of a result that hold JSON, in a table of their own. */
export const DETAILS = [
  "transcript",
  "verdicts",
  "checks",
  "nodes_visited",
  "tools_called",
  "variables",
  "usage",
] as const satisfies readonly (keyof DetailDocuments)[];

/** The record of a result, redacted and in the form in which it is read again; throws for what could not be stored. */
export function newResultRecord(id: string, runId: string, given: NewResult): ResultRecord {
  const result = redactedResult(given);
  return resultFrom({
    id,
    run_id: runId,
    scenario: text(result.scenario),
    trial: result.trial ?? 1,
    status: result.status,
    started_at: result.startedAt ?? startOf(result),
    turn_count: result.turnCount,
    duration_ms: result.durationMs,
    end_reason: result.endReason,
    error_message: result.errorMessage === null ? null : text(result.errorMessage),
    ...detailsOf(result),
  });
}

/** Statements that add results whose runs are there, and a last one that says which of them are stored then. */
export function resultInsertions(records: readonly ResultRecord[]): readonly InStatement[] {
  const ids = records.map(({ id }) => id);
  return [
    ...records.flatMap((record) => {
      const { id, runId } = record;
      return [
        insertionInRun("callweave_results", summaryColumns(record), runId),
        insertionInRun("callweave_result_details", { result_id: id, ...detailsOf(record) }, runId),
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
  const documents = detailDocuments(result);
  return Object.fromEntries(DETAILS.map((name) => [name, json(documents[name])]));
}

function startOf({ durationMs }: NewResult): string {
  return new Date(Date.now() - (Number.isFinite(durationMs) ? durationMs : 0)).toISOString();
}
