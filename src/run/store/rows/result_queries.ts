import type { InStatement } from "@libsql/client";
import type { ResultRecord } from "../records.ts";
import { DETAILS } from "./result_rows.ts";

/** Columns of a result without transcript and other details. */
export const SUMMARY =
  "id, run_id, scenario, trial, attempt, status, started_at, turn_count, duration_ms, end_reason, error_message";

/** Query of complete results. */
export const FULL_RESULT = `SELECT ${SUMMARY}, ${DETAILS.join(", ")}
  FROM callweave_results JOIN callweave_result_details ON result_id = id`;

/** Returns a query for the result that is stored with the same run, scenario, trial and attempt. */
export function sameSlot({ runId, scenario, trial, attempt }: ResultRecord): InStatement {
  return {
    sql: `${FULL_RESULT} WHERE run_id = ? AND scenario = ? AND trial = ? AND attempt = ?`,
    args: [runId, scenario, trial, attempt ?? null],
  };
}
