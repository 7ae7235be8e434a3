import type { InStatement } from "@libsql/client";
import { createRedactor } from "../../../base/redaction/mod.ts";
import type { JsonObject } from "../../../base/values/mod.ts";
import { type AgentGraph, fingerprint } from "../../../document/graph/mod.ts";
import { graphWithoutSecrets } from "../../../document/secrets/mod.ts";
import { RESULT_STATUSES } from "../../../document/transcript/mod.ts";
import type { NewResult, NewRun, ResultRecord, RunPart, RunRecord } from "../records.ts";
import { type DetailDocuments, detailDocuments, runColumns, summaryColumns } from "./documents.ts";
import {
  insertion,
  insertionIf,
  json,
  optionalJson,
  redactedResult,
  resultFrom,
  runFrom,
  storableText,
} from "./rows.ts";

/** Columns of a result without transcript and other details. */
export const SUMMARY =
  "id, run_id, scenario, trial, attempt, status, started_at, turn_count, duration_ms, end_reason, error_message";

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

/** Query of complete results. */
export const FULL_RESULT = `SELECT ${SUMMARY}, ${DETAILS.join(", ")}
  FROM callweave_results JOIN callweave_result_details ON result_id = id`;

/** Query of the results of imported runs, without transcripts, with the judge and the label of the run. */
export const JUDGED_RESULT = `SELECT ${SUMMARY.split(", ")
  .map((column) => `o.${column} AS ${column}`)
  .join(", ")}, d.verdicts AS verdicts, d.checks AS checks, json_extract(d.extra, '$.provenance') AS provenance,
  json_extract(r.models, '$.judge') AS judge, json_extract(r.options, '$.evaluation.label') AS label
  FROM callweave_runs AS r JOIN callweave_results AS o ON o.run_id = r.id
  JOIN callweave_result_details AS d ON d.result_id = o.id WHERE r.kind = 'imported'`;

/** Returns a query for the result that is stored with the same run, scenario, trial and attempt. */
export function sameSlot({ runId, scenario, trial, attempt }: ResultRecord): InStatement {
  return {
    sql: `${FULL_RESULT} WHERE run_id = ? AND scenario = ? AND trial = ? AND attempt = ?`,
    args: [runId, scenario, trial, attempt ?? null],
  };
}

// Servers limit the size of a request; the result of a long call has about 100 KB.
const MOST_RESULTS = 50;
const MOST_BYTES = 1_000_000;

/** Returns how many of the first records go into one transaction; at least one. */
export function batchLength(records: Iterable<ResultRecord>): number {
  let length = 0;
  let bytes = 0;
  for (const record of records) {
    bytes += sizeOf(record);
    if (length > 0 && bytes > MOST_BYTES) return length;
    length++;
    if (length === MOST_RESULTS) return length;
  }
  return length;
}

/** Splits records into parts that each fit into one transaction. */
export function* batchesOf(records: readonly ResultRecord[]): Iterable<readonly ResultRecord[]> {
  for (let from = 0; from < records.length; ) {
    const length = batchLength(records.slice(from, from + MOST_RESULTS));
    yield records.slice(from, from + length);
    from += length;
  }
}

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

/** A result as one JSON document: a line of the spool, or a call that waits for its verdicts. */
export function resultDocument(record: ResultRecord): JsonObject {
  return { ...summaryColumns(record), ...detailDocuments(record) };
}

/** Reads a document of {@link resultDocument}. Throws a `ShapeError` for one that does not fit. */
export function resultFromDocument(document: JsonObject): ResultRecord {
  const details = DETAILS.map((name) => [name, name === "extra" ? optionalJson(document.extra) : json(document[name])]);
  return resultFrom({ ...document, ...Object.fromEntries(details) });
}

/** Returns the approximate size of a result in bytes. */
function sizeOf(record: ResultRecord): number {
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
