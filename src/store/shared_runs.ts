import type { InStatement, Row } from "@libsql/client";
import { StoreError } from "../errors.ts";
import { RESULT_STATUSES, type RunPart, type RunRecord } from "./records.ts";
import { type RunDocument, runFrom } from "./rows/mod.ts";

/** Columns of a run. */
export const RUN_COLUMNS = `id, kind, started_at, finished_at, agent, graph_fingerprint, models, options, plan, join_name,
  ${RESULT_STATUSES.join(", ")}`;

/** A run that several processes share. */
interface SharedRun {
  readonly run: RunRecord;
  /** Number of its parts; `null` when it is not split. */
  readonly total: number | null;
}

/** Returns a query for the run with a shared name. */
export function namedRun(name: string): InStatement {
  const sql = `SELECT ${RUN_COLUMNS}, (SELECT max(total) FROM callweave_run_parts WHERE run_id = id) AS parts
    FROM callweave_runs WHERE join_name = ?`;
  return { sql, args: [name] };
}

/** Converts a row of `namedRun()`. */
export function sharedRunFrom(row: Row | undefined): SharedRun {
  if (!row) throw new Error("the run was deleted while it was joined");
  return { run: runFrom(row), total: row.parts === null ? null : Number(row.parts) };
}

/**
 * Refuses a run whose graph, plan or number of parts is not that of the run with its name.
 *
 * @throws {StoreError} `different-plan`.
 */
export function refuseOther({ run, part }: RunDocument, shared: SharedRun): void {
  const what = differenceOf(run, shared.run) ?? partDifference(part, shared.total);
  if (what === undefined) return;
  throw new StoreError(`Cannot join run "${run.joinRun}": ${what}`, {
    code: "different-plan",
    path: [shared.run.id],
    hint: "Run the same agent and scenarios with the same options, or join under another name",
  });
}

/** Says how the graph or plan of a run differs from that of a stored one; `undefined` when they are equal. */
export function differenceOf(run: RunRecord, stored: RunRecord): string | undefined {
  if (run.kind !== stored.kind) return `it is ${stored.kind}, this run is ${run.kind}`;
  if (run.graphFingerprint !== stored.graphFingerprint) return "it was started with another version of the agent";
  const [plan, other] = [run.plan ?? {}, stored.plan ?? {}];
  const keys = [...new Set([...Object.keys(plan), ...Object.keys(other)])];
  const different = keys.filter((key) => JSON.stringify(plan[key]) !== JSON.stringify(other[key]));
  return different.length === 0 ? undefined : `it was started with other ${different.join(", ")}`;
}

function partDifference(part: RunPart | undefined, total: number | null): string | undefined {
  if (part === undefined || total === null || part.total === total) return undefined;
  return `it is split into ${total} parts, this run into ${part.total}`;
}
