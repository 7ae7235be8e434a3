import { createReadStream } from "node:fs";
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

/** Length of a line that Callweave never writes, and that is not held in memory. */
const MOST_CHARACTERS = 2 ** 28;

/** The lines of a spool file. They end at line feeds only, because JSON strings may contain other line separators. */
export async function* linesOf(path: string): AsyncIterable<{ readonly text: string; readonly isWhole: boolean }> {
  let parts: string[] = [];
  let length = 0;
  const take = (part: string) => {
    length += part.length;
    if (length <= MOST_CHARACTERS) parts.push(part);
  };
  const ended = (isWhole: boolean) => {
    const text = length <= MOST_CHARACTERS ? parts.join("") : "…"; // no line of a spool file
    parts = [];
    length = 0;
    return { text, isWhole };
  };
  for await (const chunk of createReadStream(path, { encoding: "utf8" })) {
    const [first = "", ...others] = String(chunk).split("\n");
    take(first);
    for (const other of others) {
      yield ended(true);
      take(other);
    }
  }
  if (length > 0) yield ended(false);
}

/** Whether a text can be the beginning of a file's first line, which another process is writing. */
export function isBegunHead(text: string): boolean {
  const begin = JSON.stringify({ callweave_spool: SPOOL_VERSION }).slice(0, -1);
  return text.startsWith(begin) || begin.startsWith(text);
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
