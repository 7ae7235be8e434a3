import * as v from "valibot";
import { parseGraph } from "../../graph/mod.ts";
import type { JsonObject } from "../../values/mod.ts";
import {
  DETAILS,
  detailDocuments,
  json,
  NO_RESULTS,
  type RunDocument,
  resultFrom,
  runColumns,
  runFrom,
  summaryColumns,
} from "../rows/mod.ts";
import type { ResultRecord } from "../types.ts";

/** The version of the spool's form. */
const SPOOL_VERSION = 1;

/** One line of a spool file. */
export type SpoolLine =
  /** The first line: which database the others are for. */
  | { readonly kind: "head"; readonly database: string }
  /** A run, before the first of its results. */
  | { readonly kind: "run"; readonly document: RunDocument }
  | { readonly kind: "result"; readonly record: ResultRecord }
  /** When a run was finished. */
  | { readonly kind: "finished"; readonly runId: string; readonly at: string };

const Head = v.looseObject({ callweave_spool: v.literal(SPOOL_VERSION), database: v.string() });
const Run = v.looseObject({ run: v.looseObject({ id: v.string() }), graph: v.looseObject({}) });
const Result = v.looseObject({ result: v.looseObject({ id: v.string(), run_id: v.string() }) });
const Finished = v.looseObject({ finished: v.looseObject({ run_id: v.string(), at: v.string() }) });

/** A line as it is written, with its line feed. */
export function formatSpoolLine(line: SpoolLine): string {
  return `${JSON.stringify(documentOf(line))}\n`;
}

/** A line that was read; `undefined` for one that was cut off or changed. */
export function parseSpoolLine(text: string): SpoolLine | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (v.is(Head, value)) return { kind: "head", database: value.database };
    if (v.is(Run, value)) return { kind: "run", document: runDocument(value) };
    if (v.is(Result, value)) return { kind: "result", record: resultRecord(value.result) };
    if (v.is(Finished, value)) return { kind: "finished", runId: value.finished.run_id, at: value.finished.at };
    return undefined;
  } catch {
    return undefined;
  }
}

function documentOf(line: SpoolLine): JsonObject {
  switch (line.kind) {
    case "head":
      return { callweave_spool: SPOOL_VERSION, database: line.database };
    case "run":
      return { run: runColumns(line.document.run), graph: line.document.graph };
    case "result":
      return { result: { ...summaryColumns(line.record), ...detailDocuments(line.record) } };
    case "finished":
      return { finished: { run_id: line.runId, at: line.at } };
  }
}

function runDocument({ run, graph }: v.InferOutput<typeof Run>): RunDocument {
  const row = { ...run, models: json(run.models), options: json(run.options), ...NO_RESULTS };
  return { run: runFrom(row), graph: parseGraph(graph) };
}

function resultRecord(result: v.InferOutput<typeof Result>["result"]): ResultRecord {
  return resultFrom({ ...result, ...Object.fromEntries(DETAILS.map((name) => [name, json(result[name])])) });
}
