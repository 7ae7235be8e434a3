import type { InStatement, Row } from "@libsql/client";
import { StoreError } from "../../base/errors.ts";
import { RESULT_STATUSES } from "../../document/transcript/mod.ts";
import type { RunPart, RunRecord } from "./records.ts";
import { type RunDocument, runFrom } from "./rows/mod.ts";

/** What a query selects for a run's record, counts by status included. */
export const RUN_COLUMNS = `id, kind, started_at, finished_at, agent, graph_fingerprint, models, options, plan, join_name,
  ${RESULT_STATUSES.join(", ")}`;

/** A run that several processes share. */
interface SharedRun {
  readonly run: RunRecord;
  /** Number of its parts; `null` when it is not split. */
  readonly total: number | null;
}

const SELECT = `SELECT ${RUN_COLUMNS}, (SELECT max(total) FROM callweave_run_parts WHERE run_id = id) AS parts
  FROM callweave_runs`;

/** Returns a query for the run with a shared name. */
export function namedRun(name: string): InStatement {
  return { sql: `${SELECT} WHERE join_name = ?`, args: [name] };
}

/** Returns statements that make a run unfinished again, with the part that is resumed. The last one is a query for it. */
export function resumption(id: string, part: RunPart | undefined): readonly InStatement[] {
  const insertPart = `INSERT INTO callweave_run_parts (run_id, part, total) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET finished_at = NULL`;
  return [
    { sql: "UPDATE callweave_runs SET finished_at = NULL WHERE id = ?", args: [id] },
    ...(part === undefined ? [] : [{ sql: insertPart, args: [id, part.index, part.total] }]),
    storedRun(id),
  ];
}

/** Returns a query for a run, like `namedRun()`. */
export function storedRun(id: string): InStatement {
  return { sql: `${SELECT} WHERE id = ?`, args: [id] };
}

/** Converts a row of `namedRun()` or `storedRun()`. */
export function sharedRunFrom(row: Row | undefined): SharedRun {
  if (!row) throw new Error("the run was deleted a moment ago");
  return { run: runFrom(row), total: row.parts === null ? null : Number(row.parts) };
}

/**
 * Refuses to add to a stored run whose graph, plan or number of parts is another one.
 *
 * @throws {StoreError} `different-plan`.
 */
export function refuseOther({ run, part }: RunDocument, shared: SharedRun, verb: "join" | "resume"): void {
  const what = differenceOf(run, shared.run) ?? partDifference(part, shared.total);
  if (what === undefined) return;
  const name = verb === "join" ? run.joinRun : shared.run.id;
  const otherwise = verb === "join" ? "or join under another name" : "or start a new run";
  throw new StoreError(`Cannot ${verb} run "${name}": ${what}`, {
    code: "different-plan",
    path: [shared.run.id],
    hint: `Run the same agent and scenarios with the same options, ${otherwise}`,
  });
}

/** Says how the graph or plan of a run differs from that of a stored one; `undefined` when they are equal. */
export function differenceOf(run: RunRecord, stored: RunRecord): string | undefined {
  if (run.kind !== stored.kind) return `it is ${stored.kind}, this run is ${run.kind}`;
  if (run.graphFingerprint !== stored.graphFingerprint) return "it was started with another version of the agent";
  if (run.plan !== undefined && stored.plan === undefined) return "it was stored without a plan, which is needed";
  const [plan, other] = [run.plan ?? {}, stored.plan ?? {}];
  const keys = [...new Set([...Object.keys(plan), ...Object.keys(other)])];
  const different = keys.filter((key) => JSON.stringify(plan[key]) !== JSON.stringify(other[key]));
  return different.length === 0 ? undefined : `it was started with other ${different.join(", ")}`;
}

function partDifference(part: RunPart | undefined, total: number | null): string | undefined {
  if (part === undefined || total === null || part.total === total) return undefined;
  return `it is split into ${total} parts, this run into ${part.total}`;
}
