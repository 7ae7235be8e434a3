import type { InStatement } from "@libsql/client";
import { createRedactor } from "../../../base/redaction/mod.ts";
import { type AgentGraph, fingerprint } from "../../../document/graph/mod.ts";
import { graphWithoutSecrets } from "../../../document/secrets/mod.ts";
import { RESULT_STATUSES } from "../../../document/transcript/mod.ts";
import type { NewRun, RunPart, RunRecord } from "../records.ts";
import { runColumns } from "./documents.ts";
import { runFrom } from "./rows.ts";
import { insertion, json, optionalJson, storableText } from "./values.ts";

/** A run with its graph, as stored in the spool. */
export interface RunDocument {
  readonly run: RunRecord;
  readonly graph: AgentGraph;
  /** Part of the run that this process does, when the run is split. */
  readonly part?: RunPart;
}

/** Counts of a run without results. */
export const NO_RESULTS = Object.fromEntries(RESULT_STATUSES.map((status) => [status, 0]));

/** Builds the document of a new run, redacted and as it will be read back. */
export function newRunDocument(id: string, run: NewRun): RunDocument {
  const row = {
    id,
    kind: run.kind,
    started_at: run.startedAt ?? new Date().toISOString(),
    finished_at: null,
    agent: storableText(run.agent),
    graph_fingerprint: fingerprint(run.graph),
    models: json(run.models),
    options: json(createRedactor().value(run.options)),
    plan: optionalJson(createRedactor().value(run.plan)),
    join_name: run.joinRun === undefined ? null : storableText(run.joinRun),
  };
  return {
    run: runFrom({ ...row, ...NO_RESULTS }),
    graph: graphWithoutSecrets(run.graph),
    ...(run.part === undefined ? {} : { part: run.part }),
  };
}

/** Returns statements that insert a run, its graph and its part if they do not exist. */
export function runInsertions({ run, graph, part }: RunDocument): readonly InStatement[] {
  const { models, options, plan, ...columns } = runColumns(run);
  return [
    {
      // replaces a graph that was stored with its secrets
      sql: `INSERT INTO callweave_graphs (fingerprint, document) VALUES (?, ?)
        ON CONFLICT (fingerprint) DO UPDATE SET document = excluded.document WHERE document <> excluded.document`,
      args: [columns.graph_fingerprint, json(graph)],
    },
    insertion("callweave_runs", {
      ...columns,
      models: json(models),
      options: json(options),
      plan: optionalJson(plan),
    }),
    ...(part === undefined ? [] : [partInsertion(run, part)]),
  ];
}

/** Returns a statement that inserts a part of a run, unless the run with its name has another graph, plan or number of parts. */
function partInsertion(run: RunRecord, { index, total }: RunPart): InStatement {
  const { id, graphFingerprint, plan, joinRun = null } = run;
  return {
    sql: `INSERT INTO callweave_run_parts (run_id, part, total)
      SELECT id, ?, ? FROM callweave_runs
      WHERE (id = ? OR join_name = ?) AND graph_fingerprint = ? AND plan IS ?
        AND NOT EXISTS (SELECT 1 FROM callweave_run_parts WHERE run_id = id AND total <> ?)
      ON CONFLICT DO NOTHING`,
    args: [index, total, id, joinRun, graphFingerprint, optionalJson(plan), total],
  };
}

/**
 * Returns statements that mark a run, or a part of it, as finished. A run with parts is finished when all of them are.
 *
 * @param part Number of the part; absent when the run is not split.
 * @param keepEarlier Whether a run that is already finished keeps its time.
 */
export function runFinish(
  id: string,
  finishedAt: string,
  { part, keepEarlier = false }: { readonly part?: number | undefined; readonly keepEarlier?: boolean },
): readonly InStatement[] {
  const changed = keepEarlier ? " AND finished_at IS NULL" : "";
  if (part === undefined)
    return [{ sql: `UPDATE callweave_runs SET finished_at = ? WHERE id = ?${changed}`, args: [finishedAt, id] }];
  return [
    {
      sql: `UPDATE callweave_run_parts SET finished_at = ? WHERE run_id = ? AND part = ?${changed}`,
      args: [finishedAt, id, part],
    },
    {
      sql: `UPDATE callweave_runs SET finished_at = ? WHERE id = ?${changed} AND (
          SELECT count(finished_at) = max(total) FROM callweave_run_parts WHERE run_id = ?
        )`,
      args: [finishedAt, id, id],
    },
  ];
}
