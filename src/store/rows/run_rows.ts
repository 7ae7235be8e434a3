import type { InStatement } from "@libsql/client";
import { type AgentGraph, fingerprint } from "../../graph/mod.ts";
import { createRedactor } from "../../redaction/mod.ts";
import { graphWithoutSecrets } from "../../secrets/mod.ts";
import { type NewRun, RESULT_STATUSES, type RunRecord } from "../types.ts";
import { runColumns } from "./documents.ts";
import { runFrom } from "./rows.ts";
import { insertion, json, text } from "./values.ts";

/** A run with its graph, as stored in the spool. */
export interface RunDocument {
  readonly run: RunRecord;
  readonly graph: AgentGraph;
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
    agent: text(run.agent),
    graph_fingerprint: fingerprint(run.graph),
    models: json(run.models),
    options: json(createRedactor().value(run.options)),
  };
  return { run: runFrom({ ...row, ...NO_RESULTS }), graph: graphWithoutSecrets(run.graph) };
}

/** Returns statements that insert a run and its graph if they do not exist. */
export function runInsertions({ run, graph }: RunDocument): readonly InStatement[] {
  const { models, options, ...columns } = runColumns(run);
  return [
    {
      // replaces a graph that an older version of Callweave stored with its secrets
      sql: `INSERT INTO callweave_graphs (fingerprint, document) VALUES (?, ?)
        ON CONFLICT (fingerprint) DO UPDATE SET document = excluded.document WHERE document <> excluded.document`,
      args: [columns.graph_fingerprint, json(graph)],
    },
    insertion("callweave_runs", { ...columns, models: json(models), options: json(options) }),
  ];
}
