import type { InStatement, InValue } from "@libsql/client";
import * as v from "valibot";
import { createRedactor } from "../../../base/redaction/mod.ts";
import type { JsonObject } from "../../../base/values/mod.ts";
import { type AgentGraph, parseGraph } from "../../../document/graph/mod.ts";
import { CHECK_KINDS, END_REASONS, RESULT_STATUSES } from "../../../document/transcript/mod.ts";
import { ShapeError } from "../database/mod.ts";
import { type JudgedResult, type ResultRecord, type ResultSummary, RUN_KINDS, type RunRecord } from "../records.ts";
import {
  Provenance,
  ResultExtras,
  StoredTranscript,
  toolCallFrom,
  usageFrom,
  Verdicts,
  verdictFrom,
} from "./documents.ts";

/** Keys with ids, names, kinds and times, which are used for lookups and counts and therefore stay. */
const STRUCTURE = new Set(
  "id runId scenario trial status kind role node_id nodeId timestamp startedAt endReason outcome name nodesVisited models store".split(
    " ",
  ),
);
/** Keys whose values come from models, tools and callers. */
const FOREIGN = new Set(["variables", "startVariables", "arguments", "result", "metadata"]);

/**
 * Redacts a result or a report before it is stored, printed or shared. Strings from models, tools and callers are
 * redacted; keys, numbers, ids, names and kinds stay.
 *
 * Idempotent. Everything that stores results calls it first.
 */
export function redactedResult<Result extends object>(result: Result): Result {
  const structure: string[] = [];
  collect(result, structure, false);
  const redactor = createRedactor({ shown: structure });
  return redactParts(result, redactor.value);
}

function collect(value: unknown, found: string[], structural: boolean): void {
  if (typeof value === "string" && structural) found.push(value);
  else if (Array.isArray(value)) for (const item of value) collect(item, found, structural);
  else if (typeof value === "object" && value !== null && !structural)
    for (const [key, item] of Object.entries(value)) if (!FOREIGN.has(key)) collect(item, found, STRUCTURE.has(key));
}

function redactParts<Value>(value: Value, redact: <Part>(part: Part) => Part): Value {
  const visit = (part: unknown): unknown => {
    if (Array.isArray(part)) {
      const items = part.map(visit);
      return items.some((item, index) => item !== part[index]) ? items : part;
    }
    if (typeof part !== "object" || part === null) return redact(part);
    const entries = Object.entries(part);
    const copies = entries.map(([key, item]) => {
      if (STRUCTURE.has(key)) return [key, item] as const;
      return [key, FOREIGN.has(key) ? redact(item) : visit(item)] as const;
    });
    return copies.some(([, item], index) => item !== entries[index]?.[1]) ? Object.fromEntries(copies) : part;
  };
  return visit(value) as Value; // only strings are replaced, by strings
}

const DEFAULT_LIMIT = 50;

/** Serializes a value for a JSON column. Throws for `undefined`, which JSON cannot represent. */
export function json(value: unknown): string {
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError("cannot store a value that JSON cannot represent");
  return text;
}

/** Serializes a value for a JSON column that may be empty. */
export function optionalJson(value: unknown): string | null {
  return value === undefined ? null : json(value);
}

/**
 * Replaces characters that libSQL clients change: they truncate at NUL and differ in how they encode lone surrogates.
 */
export function storableText(value: string): string {
  return value
    .replaceAll("\0", "\uFFFD")
    .replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, "\uFFFD");
}

/** Returns a page size for SQL, where -1 means no limit. */
export function rowLimit(limit: number = DEFAULT_LIMIT): number {
  if (limit === Number.POSITIVE_INFINITY) return -1;
  return Number.isFinite(limit) ? Math.max(0, Math.floor(limit)) : DEFAULT_LIMIT;
}

/** Builds a WHERE clause from the comparisons whose value is defined. */
export function conditions(comparisons: readonly (readonly [sql: string, value: InValue | undefined])[]): {
  readonly where: string;
  readonly args: InValue[];
} {
  const wanted = comparisons.flatMap(([sql, value]) => (value === undefined ? [] : [{ sql: `${sql} ?`, value }]));
  return {
    where: wanted.length === 0 ? "" : ` WHERE ${wanted.map(({ sql }) => sql).join(" AND ")}`,
    args: wanted.map(({ value }) => value),
  };
}

/** Returns a statement that inserts a row unless it exists. */
export function insertion(table: string, row: { readonly [column: string]: InValue }): InStatement {
  const columns = Object.keys(row);
  return {
    sql: `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")}) ON CONFLICT DO NOTHING`,
    args: Object.values(row),
  };
}

/** Returns a statement that inserts a row unless it exists, or the row with the given id that it belongs to is missing. */
export function insertionIf(
  owners: string,
  ownerId: string,
  table: string,
  row: { readonly [column: string]: InValue },
): InStatement {
  const columns = Object.keys(row);
  return {
    sql: `INSERT INTO ${table} (${columns.join(", ")}) SELECT ${columns.map(() => "?").join(", ")}
      WHERE EXISTS (SELECT 1 FROM ${owners} WHERE id = ?) ON CONFLICT DO NOTHING`,
    args: [...Object.values(row), ownerId],
  };
}

const texts = v.array(v.string());
const record = v.looseObject({});
const RunRow = v.looseObject({
  id: v.string(),
  kind: v.picklist(RUN_KINDS),
  started_at: v.string(),
  finished_at: v.nullable(v.string()),
  agent: v.string(),
  graph_fingerprint: v.string(),
  models: v.string(),
  options: v.string(),
  pass: v.number(),
  fail: v.number(),
  error: v.number(),
  imported: v.number(),
  cancelled: v.number(),
  invalid: v.number(),
  plan: v.nullish(v.string()),
  join_name: v.nullish(v.string()),
});
const Models = v.looseObject({ agent: v.string(), caller: v.string(), judge: v.string() });
const SummaryRow = v.looseObject({
  id: v.string(),
  run_id: v.string(),
  scenario: v.string(),
  trial: v.number(),
  attempt: v.nullish(v.number()),
  status: v.picklist(RESULT_STATUSES),
  started_at: v.string(),
  turn_count: v.number(),
  duration_ms: v.number(),
  end_reason: v.nullable(v.picklist(END_REASONS)),
  error_message: v.nullable(v.string()),
});
const DetailsRow = v.looseObject({
  transcript: v.string(),
  verdicts: v.string(),
  checks: v.string(),
  nodes_visited: v.string(),
  tools_called: v.string(),
  variables: v.string(),
  usage: v.string(),
  extra: v.nullish(v.string()),
});
const Checks = v.array(
  v.looseObject({ kind: v.picklist(CHECK_KINDS), expected: v.string(), passed: v.boolean(), reason: v.string() }),
);
const ToolCalls = v.array(
  v.looseObject({
    name: v.string(),
    arguments: record,
    result: v.optional(v.unknown()),
    outcome: v.picklist(["succeeded", "failed"]),
    duration_ms: v.number(),
    node_id: v.string(),
    mocked: v.boolean(),
  }),
);
const Total = v.looseObject({
  calls: v.number(),
  input_tokens: v.number(),
  output_tokens: v.number(),
  model_ms: v.number(),
  retries: v.optional(v.number()),
  cost_usd: v.optional(v.number()),
});
const Usage = v.looseObject({
  ...Total.entries,
  by_role: v.optional(v.looseObject({ agent: Total, caller: Total, judge: Total })),
});

/**
 * Converts a row to a run. Used for reading and before writing, so that only readable rows are stored. Like the other
 * functions here, it throws a `ShapeError` for values that do not fit.
 */
export function runFrom(row: JsonObject): RunRecord {
  const { models, options, plan, join_name: joinRun, ...run } = fitting(RunRow, row, "run");
  const { pass, fail, error, imported, cancelled, invalid } = run;
  return {
    id: run.id,
    kind: run.kind,
    startedAt: run.started_at,
    finishedAt: run.finished_at,
    agent: run.agent,
    graphFingerprint: run.graph_fingerprint,
    models: parsed(Models, models, "models"),
    options: parsed(record, options, "options"),
    ...(isNothing(plan) ? {} : { plan: parsed(record, plan, "plan") }),
    ...(isNothing(joinRun) ? {} : { joinRun }),
    counts: { pass, fail, error, imported, cancelled, invalid },
  };
}

/** Converts a row to the summary of a result. */
export function summaryFrom(row: JsonObject): ResultSummary {
  const summary = fitting(SummaryRow, row, "result");
  return {
    id: summary.id,
    runId: summary.run_id,
    scenario: summary.scenario,
    trial: summary.trial,
    ...(isNothing(summary.attempt) ? {} : { attempt: summary.attempt }),
    status: summary.status,
    startedAt: summary.started_at,
    turnCount: summary.turn_count,
    durationMs: summary.duration_ms,
    ...(isNothing(summary.end_reason) ? {} : { endReason: summary.end_reason }),
    errorMessage: summary.error_message,
  };
}

/** Converts a row, joined with its details, to a result. */
export function resultFrom(row: JsonObject): ResultRecord {
  const details = fitting(DetailsRow, row, "result");
  const extra = isNothing(details.extra) ? {} : parsed(ResultExtras, details.extra, "extra");
  return {
    ...summaryFrom(row),
    transcript: parsed(StoredTranscript, details.transcript, "transcript"),
    verdicts: parsed(Verdicts, details.verdicts, "verdicts").map(verdictFrom),
    checks: parsed(Checks, details.checks, "checks"),
    nodesVisited: parsed(texts, details.nodes_visited, "nodes_visited"),
    toolsCalled: parsed(ToolCalls, details.tools_called, "tools_called").map(toolCallFrom),
    variables: parsed(record, details.variables, "variables"),
    usage: usageFrom(parsed(Usage, details.usage, "usage")),
    ...extra,
  };
}

const JudgedRow = v.looseObject({
  verdicts: v.string(),
  checks: v.string(),
  provenance: v.nullish(v.string()),
  judge: v.string(),
  label: v.nullish(v.string()),
});

/** Converts a row of a judged call. */
export function judgedFrom(row: JsonObject): JudgedResult {
  const { verdicts, checks, provenance, judge, label } = fitting(JudgedRow, row, "result");
  return {
    ...summaryFrom(row),
    verdicts: parsed(Verdicts, verdicts, "verdicts").map(verdictFrom),
    checks: parsed(Checks, checks, "checks"),
    ...(isNothing(provenance) ? {} : { provenance: parsed(Provenance, provenance, "provenance") }),
    judge,
    label: label ?? null,
  };
}

function isNothing(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

/** Returns the graph of a run's row. */
export function graphFrom(row: JsonObject | undefined): AgentGraph {
  if (typeof row?.document !== "string") throw new ShapeError("the graph of the run is missing");
  return parseGraph(JSON.parse(row.document));
}

function parsed<Schema extends v.GenericSchema>(schema: Schema, json: string, column: string): v.InferInput<Schema> {
  return fitting(schema, JSON.parse(json), column);
}

/** Returns the value itself instead of valibot's copy, which would drop keys such as `__proto__`. */
function fitting<Schema extends v.GenericSchema>(schema: Schema, value: unknown, what: string): v.InferInput<Schema> {
  if (v.is(schema, value)) return value;
  throw new ShapeError(`the ${what} does not match its schema`);
}
