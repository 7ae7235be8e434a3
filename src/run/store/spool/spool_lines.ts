import * as v from "valibot";
import type { JsonObject } from "../../../base/values/mod.ts";
import { parseGraph } from "../../../document/graph/mod.ts";
import type { ResultRecord } from "../records.ts";
import {
  DETAILS,
  detailDocuments,
  json,
  NO_RESULTS,
  optionalJson,
  type RunDocument,
  resultFrom,
  runColumns,
  runFrom,
  summaryColumns,
} from "../rows/mod.ts";

/** Version of the spool format. */
const SPOOL_VERSION = 1;

/** One line of a spool file. */
export type SpoolLine =
  /** The first line; names the database that the results belong to. */
  | { readonly kind: "head"; readonly database: string }
  /** A run; it precedes its results. */
  | { readonly kind: "run"; readonly document: RunDocument }
  | { readonly kind: "result"; readonly record: ResultRecord }
  /** The finish time of a run, or of a part of it. */
  | { readonly kind: "finished"; readonly runId: string; readonly at: string; readonly part?: number | undefined };

const Head = v.looseObject({ callweave_spool: v.literal(SPOOL_VERSION), database: v.string() });
const Part = v.looseObject({ index: v.number(), total: v.number() });
const Run = v.looseObject({ run: v.looseObject({ id: v.string() }), graph: v.looseObject({}), part: v.optional(Part) });
const Result = v.looseObject({ result: v.looseObject({ id: v.string(), run_id: v.string() }) });
const Finished = v.looseObject({
  finished: v.looseObject({ run_id: v.string(), at: v.string(), part: v.optional(v.number()) }),
});

/** Serializes a line, with its line feed. */
export function formatSpoolLine(line: SpoolLine): string {
  return `${JSON.stringify(documentOf(line))}\n`;
}

/** Parses a line; returns `undefined` when it is truncated or invalid. */
export function parseSpoolLine(text: string): SpoolLine | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (v.is(Head, value)) return { kind: "head", database: value.database };
    if (v.is(Run, value)) return { kind: "run", document: runDocument(value) };
    if (v.is(Result, value)) return { kind: "result", record: resultRecord(value.result) };
    if (!v.is(Finished, value)) return undefined;
    const { run_id: runId, at, part } = value.finished;
    return { kind: "finished", runId, at, part };
  } catch {
    return undefined;
  }
}

function documentOf(line: SpoolLine): JsonObject {
  switch (line.kind) {
    case "head":
      return { callweave_spool: SPOOL_VERSION, database: line.database };
    case "run":
      return { run: runColumns(line.document.run), graph: line.document.graph, part: line.document.part };
    case "result":
      return { result: { ...summaryColumns(line.record), ...detailDocuments(line.record) } };
    case "finished":
      return { finished: { run_id: line.runId, at: line.at, part: line.part } };
  }
}

function runDocument({ run, graph, part }: v.InferOutput<typeof Run>): RunDocument {
  const row = {
    ...run,
    models: json(run.models),
    options: json(run.options),
    plan: optionalJson(run.plan),
    ...NO_RESULTS,
  };
  return { run: runFrom(row), graph: parseGraph(graph), ...(part ? { part } : {}) };
}

function resultRecord(result: v.InferOutput<typeof Result>["result"]): ResultRecord {
  return resultFrom({
    ...result,
    ...Object.fromEntries(
      DETAILS.map((name) => [name, name === "extra" ? optionalJson(result.extra) : json(result[name])]),
    ),
  });
}
