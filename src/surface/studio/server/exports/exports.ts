import { StudioError } from "../../../../base/errors.ts";
import { defined } from "../../../../base/values/mod.ts";
import type { RunComparison } from "../../../../run/compare/mod.ts";
import type { ResultRecord, RunRecord } from "../../../../run/store/mod.ts";
import type { StudioCallSummary } from "../../api/mod.ts";
import { listCalls, readExamples } from "../../data/mod.ts";
import { unknownThing } from "../answers.ts";
import { findCall } from "../calls/mod.ts";
import { comparisonOf } from "../compare_answer.ts";
import type { Studio } from "../studio.ts";
import { comparisonCsv, comparisonJsonLines } from "./comparison_lines.ts";
import { csvCell } from "./csv_cell.ts";

/** A file to save. */
export interface ExportedFile {
  readonly name: string;
  readonly type: string;
  readonly body: string | ReadableStream<Uint8Array>;
}

/** Calls in one HTML file: more would not open in a browser. */
const MOST_IN_PAGE = 10_000;
/** Calls with their transcripts in one HTML file, first those that did not pass. */
const MOST_TRANSCRIPTS = 2_000;
const PAGE = 200;

const TYPES = {
  html: "text/html; charset=utf-8",
  csv: "text/csv; charset=utf-8",
  jsonl: "application/jsonl; charset=utf-8",
} as const;

/** The name of an export: an id and an ending. */
const FILE = /^([0-9a-z]{1,40})\.(html|csv|jsonl)$/;

/**
 * A run as the HTML report, as CSV with a row for each call, or as JSON lines with all of each call.
 *
 * @throws {StudioError} `unknown-route`, `too-large`; what `findRun()` throws.
 */
export async function exportRun(studio: Studio, file: string, signal: AbortSignal): Promise<ExportedFile> {
  const [, id = "", ending = ""] = FILE.exec(file) ?? [];
  const type = typeOf(file, ending);
  const run = await studio.data.store.findRun(id);
  const name = `${run.id}.${ending}`;
  if (ending === "html") return { name, type, body: await runPage(studio, run, signal) };
  const lines = ending === "csv" ? csvLines(studio, run, signal) : jsonLines(studio, run, signal);
  return { name, type, body: streamOf(lines) };
}

/** A call as the HTML report, or as a JSON line. */
export async function exportCall(studio: Studio, file: string): Promise<ExportedFile> {
  const [, id = "", ending = ""] = FILE.exec(file) ?? [];
  const type = typeOf(file, ending === "csv" ? "" : ending);
  const result = await findCall(studio, id);
  const name = `${result.id}.${ending}`;
  if (ending === "jsonl") return { name, type, body: `${JSON.stringify(result)}\n` };
  const run = await studio.data.store.findRun(result.runId);
  return { name, type, body: await pageOf(studio, run, [result]) };
}

/**
 * A comparison as the HTML report of the later run with what changed since the earlier one, as CSV with a row for each
 * scenario and judged criterion, or as JSON lines with one for each scenario.
 *
 * @param withRun The earlier run.
 * @throws {StudioError} `unknown-route`, `too-large`; what `findRun()` throws.
 */
export async function exportComparison(
  studio: Studio,
  file: string,
  withRun: string,
  signal: AbortSignal,
): Promise<ExportedFile> {
  const [, id = "", ending = ""] = FILE.exec(file) ?? [];
  const type = typeOf(file, ending);
  const { base, head, comparison } = await comparisonOf(studio, id, withRun);
  const name = `${head.id}-with-${base.id}.${ending}`;
  if (ending === "html") return { name, type, body: await runPage(studio, head, signal, comparison) };
  const lines = ending === "csv" ? comparisonCsv(comparison) : comparisonJsonLines(comparison);
  return { name, type, body: lines.join("") };
}

/** Labels as JSON lines that `callweave judge calibrate` reads: a call, or a call up to a turn, in each. */
export function exportExamples(
  { data }: Studio,
  file: string,
  query: URLSearchParams,
  signal: AbortSignal,
): ExportedFile {
  if (file !== "judge.jsonl") throw unknownThing("route", file, "Ask for judge.jsonl");
  const of = { call: query.get("call") ?? undefined, criterion: query.get("criterion") ?? undefined };
  return { name: file, type: TYPES.jsonl, body: streamOf(exampleLines(data, of, signal)) };
}

async function* exampleLines(
  data: Studio["data"],
  of: { readonly call: string | undefined; readonly criterion: string | undefined },
  signal: AbortSignal,
): AsyncGenerator<string> {
  let cursor: string | undefined;
  do {
    const { items, nextCursor } = await readExamples(data, { ...of, limit: PAGE, cursor });
    if (signal.aborted) return;
    yield items.map((example) => `${JSON.stringify(example)}\n`).join("");
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
}

function typeOf(file: string, ending: string): string {
  if (ending === "html" || ending === "csv" || ending === "jsonl") return TYPES[ending];
  throw unknownThing("route", file, "Ask for ID.html, ID.jsonl or, of a run or a comparison, ID.csv");
}

async function runPage(
  studio: Studio,
  run: RunRecord,
  signal: AbortSignal,
  comparison?: RunComparison,
): Promise<string> {
  const all = Object.values(run.counts).reduce((sum, count) => sum + count, 0);
  if (all > MOST_IN_PAGE)
    throw new StudioError(`Cannot write ${all} calls into one page`, {
      code: "too-large",
      hint: `Export the run as JSON lines or CSV, or single calls; a page has up to ${MOST_IN_PAGE} calls`,
    });
  if (all > MOST_TRANSCRIPTS) {
    const { results, whole } = await shortened(studio, run, signal);
    return await pageOf(studio, run, results, { comparison, transcripts: Math.max(1, whole) });
  }
  const { results } = await studio.data.store.showRun(run.id);
  return await pageOf(studio, run, results, { comparison });
}

/** Reads the results of a run, oldest first, only `whole` of them with what was said: all words would fill the memory. */
async function shortened(
  studio: Studio,
  run: RunRecord,
  signal: AbortSignal,
): Promise<{ readonly results: readonly ResultRecord[]; readonly whole: number }> {
  const calls: StudioCallSummary[] = [];
  let cursor: string | undefined;
  do {
    const { items, nextCursor } = await listCalls(studio.data, { run: run.id, limit: PAGE, cursor });
    calls.push(...items);
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined && !signal.aborted);
  calls.reverse(); // oldest first, as in showRun()
  const { wholeCalls } = await import("../../../reporters/mod.ts");
  const whole = wholeCalls(calls, MOST_TRANSCRIPTS);
  const results: ResultRecord[] = [];
  let count = 0;
  for (const call of calls) {
    signal.throwIfAborted();
    const result = await studio.data.store.findResult(call.id);
    if (!result) continue; // deleted meanwhile
    const transcript = result.transcript.map((message) => ({ ...message, content: "" }));
    results.push(whole.has(call) ? result : { ...result, transcript });
    count += Number(whole.has(call));
  }
  return { results, whole: count };
}

async function pageOf(
  studio: Studio,
  run: RunRecord,
  results: readonly ResultRecord[],
  options: { readonly comparison?: RunComparison | undefined; readonly transcripts?: number } = {},
): Promise<string> {
  const [{ formatHtml }, { reportOf }, graph] = await Promise.all([
    import("../../../reporters/mod.ts"),
    import("../../../../run/runner/mod.ts"),
    studio.data.graphOf(run.graphFingerprint, run.id),
  ]);
  return formatHtml(reportOf({ run, results, graph }, null), { graph, ...defined(options) });
}

async function* resultsOf(studio: Studio, run: RunRecord, signal: AbortSignal): AsyncGenerator<ResultRecord> {
  let cursor: string | undefined;
  do {
    const { items, nextCursor } = await listCalls(studio.data, { run: run.id, limit: PAGE, cursor });
    for (const { id } of items) {
      if (signal.aborted) return;
      const result = await studio.data.store.findResult(id);
      if (result) yield result;
    }
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
}

async function* jsonLines(studio: Studio, run: RunRecord, signal: AbortSignal): AsyncGenerator<string> {
  for await (const result of resultsOf(studio, run, signal)) yield `${JSON.stringify(result)}\n`;
}

const COLUMNS = [
  "id",
  "scenario",
  "trial",
  "attempt",
  "status",
  "startedAt",
  "durationMs",
  "turnCount",
  "endReason",
  "score",
  "errorMessage",
] as const;

async function* csvLines(studio: Studio, run: RunRecord, signal: AbortSignal): AsyncGenerator<string> {
  yield `${COLUMNS.join(",")}\r\n`;
  let cursor: string | undefined;
  do {
    const { items, nextCursor } = await listCalls(studio.data, { run: run.id, limit: PAGE, cursor });
    if (signal.aborted) return;
    yield items.map((call) => `${COLUMNS.map((column) => csvCell(call[column])).join(",")}\r\n`).join("");
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
}

/** Bytes of texts, made as they are read. */
function streamOf(texts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await texts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel: async () => {
      await texts.return(undefined);
    },
  });
}
