import type { InStatement } from "@libsql/client";
import type { NewResult, ResultRecord } from "../records.ts";
import { type DetailDocuments, detailDocuments, summaryColumns } from "./documents.ts";
import { redactedResult } from "./redacted.ts";
import { resultFrom } from "./rows.ts";
import { insertionIf, json, optionalJson, storableText } from "./values.ts";

/** JSON columns of the result details table. */
export const DETAILS = [
  "transcript",
  "verdicts",
  "checks",
  "nodes_visited",
  "tools_called",
  "variables",
  "usage",
  "extra",
] as const satisfies readonly (keyof DetailDocuments)[];

/** Builds the record of a result, redacted and as it will be read back. Throws for values that cannot be stored. */
export function newResultRecord(id: string, runId: string, result: NewResult): ResultRecord {
  const redacted = redactedResult(result);
  return resultFrom({
    id,
    run_id: runId,
    scenario: storableText(redacted.scenario),
    trial: redacted.trial ?? 1,
    attempt: redacted.attempt ?? null,
    status: redacted.status,
    started_at: redacted.startedAt ?? startOf(redacted),
    turn_count: redacted.turnCount,
    duration_ms: redacted.durationMs,
    end_reason: redacted.endReason ?? null,
    error_message: redacted.errorMessage === null ? null : storableText(redacted.errorMessage),
    ...detailsOf(redacted),
  });
}

/**
 * Returns statements that insert results of existing runs, unless their scenario, trial and attempt are stored. The last
 * one returns the ids of those that are stored.
 */
export function resultInsertions(records: readonly ResultRecord[]): readonly InStatement[] {
  const ids = records.map(({ id }) => id);
  return [
    ...records.flatMap((record) => {
      const { id, runId } = record;
      return [
        insertionIf("callweave_runs", runId, "callweave_results", summaryColumns(record)),
        insertionIf("callweave_results", id, "callweave_result_details", { result_id: id, ...detailsOf(record) }),
      ];
    }),
    { sql: `SELECT id FROM callweave_results WHERE id IN (${ids.map(() => "?").join(", ")})`, args: ids },
  ];
}

/** Whether the answers to {@link resultInsertions} say that the database had the result at this index already. */
export function wasKnown(answers: readonly { readonly rowsAffected: number }[], index: number): boolean {
  return answers[2 * index]?.rowsAffected === 0; // the first of its two statements inserts its row
}

/** Returns the approximate size of a result in bytes. */
export function sizeOf(record: ResultRecord): number {
  return Object.values(detailsOf(record)).reduce((sum, text) => sum + (text?.length ?? 0), 0);
}

function detailsOf(result: NewResult): { readonly [column: string]: string | null } {
  const documents = detailDocuments(result);
  return Object.fromEntries(
    DETAILS.map((name) => [name, name === "extra" ? optionalJson(documents.extra) : json(documents[name])]),
  );
}

function startOf({ durationMs }: NewResult): string {
  return new Date(Date.now() - (Number.isFinite(durationMs) ? durationMs : 0)).toISOString();
}
