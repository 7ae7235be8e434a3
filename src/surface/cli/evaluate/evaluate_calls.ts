import { existsSync } from "node:fs";
import { inFile, parseJsonFile, readTextFile } from "../../../base/files/mod.ts";
import { isRecord, isRecords, parsedJson } from "../../../base/values/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";
import { type Call, END_REASONS } from "../../../document/transcript/mod.ts";
import { CALL_FORMATS, isRecordedCall, readCalls } from "../../../run/calls/mod.ts";
import {
  type EvaluateOptions,
  type EvaluationReport,
  evaluate,
  readTimeline,
  type Timeline,
} from "../../../run/evaluation/mod.ts";
import { DEFAULT_FILE, openStore } from "../../../run/store/mod.ts";
import { chooseModels, loadScenarios, loadSource } from "../../project/mod.ts";
import { REPORTERS } from "../../reporters/mod.ts";
import { type Arguments, type ExitCode, usage } from "../arguments.ts";
import type { Terminal } from "../io/mod.ts";
import { chooseReports } from "../reports/mod.ts";
import { exitCodeOf } from "../run/mod.ts";
import { openRuns } from "../runs/mod.ts";

/** Judges the selected calls, and reports the verdicts. */
export async function evaluateCalls(
  args: Arguments,
  terminal: Terminal,
  options: Pick<EvaluateOptions, "judging" | "limits">,
): Promise<ExitCode> {
  const files = args.texts("scenarios");
  const inputs = [
    { what: "the results database", path: args.text("db") ?? terminal.env.CALLWEAVE_DB_URL ?? DEFAULT_FILE },
    ...[...files, ...args.rest().filter((path) => path !== "-")].map((path) => ({ what: "an input", path })),
  ];
  const fallback = REPORTERS.terminal;
  const reports = await chooseReports(args, terminal, { inputs, fallback });
  const scenarios = (await Promise.all(files.map((file) => loadScenarios(file, terminal)))).flat();
  const expectations = readExpectations(args);
  const path = args.text("agent");
  const source = path === undefined ? undefined : await loadSource(path, terminal);
  const read = await readEvaluated(args, terminal);
  const only = args.texts("only");
  const isMeant = ({ scenario, id, provenance }: Call) =>
    only.length === 0 || only.some((name) => [scenario, id, provenance?.callId].includes(name));
  const graph = source?.graph ?? read.graph;
  const flags = { model: args.text("model"), judgeModel: args.text("judge-model") };
  await using store = args.has("save") ? await openStore(args.text("db"), { signal: terminal.signal }) : undefined;
  const report = await evaluate(read.calls.filter(isMeant), {
    ...options,
    expectations,
    scenarios,
    judging: { ...options.judging, metrics: args.texts("metric"), flow: args.has("judge-flow") },
    models: chooseModels(flags, terminal.env, graph?.default_model),
    signal: terminal.signal,
    listeners: { onProgress: reports.onEvent },
    ...(graph ? { agent: graph } : {}),
    ...(source ? { name: source.name } : {}),
    ...(store ? { store } : {}),
  });
  const { unknownAgent } = await import("../../../run/calls/mod.ts");
  const { isComplete } = await reports.write(report, { graph: graph ?? unknownAgent(), files });
  for (const line of skippedLines(report)) terminal.err(line);
  return exitCodeOf(report, isComplete);
}

function readExpectations(args: Arguments): NonNullable<EvaluateOptions["expectations"]> {
  const text = args.text("ends");
  const ends = END_REASONS.find((each) => each === text);
  if (text !== undefined && ends === undefined)
    throw usage(`--ends is "${text}"`, `Write one of ${END_REASONS.join(", ")}`);
  return {
    includes: args.texts("includes"),
    excludes: args.texts("excludes"),
    patterns: args.texts("pattern"),
    visits: args.texts("visits"),
    avoids: args.texts("avoids"),
    calls: args.texts("calls").map((tool) => ({ tool, args: {} })),
    ...(ends ? { ends } : {}),
  };
}

/** One line for each expectation that could not be checked, with the number of calls. */
function skippedLines({ skipped }: EvaluationReport): readonly string[] {
  const counts = new Map<string, number>();
  for (const { kind, expected } of skipped)
    counts.set(`${kind} ${expected}`, (counts.get(`${kind} ${expected}`) ?? 0) + 1);
  return [...counts].map(([what, count]) => `not checked in ${count} calls, which lack the data: ${what}\n`);
}

/** Calls to evaluate, and the agent that is stored with them. */
export interface ReadEvaluated {
  readonly calls: readonly Call[];
  readonly graph?: AgentGraph;
}

/**
 * Reads the calls that a command line names: files, standard input, or a stored run.
 *
 * @throws {UsageError} `usage`, `unreadable-file`, `invalid-json`.
 * @throws {StoreError} `unknown-run`.
 */
async function readEvaluated(args: Arguments, terminal: Terminal): Promise<ReadEvaluated> {
  const places = args.rest();
  const format = args.text("format");
  const known = [...CALL_FORMATS, "timeline"] as const;
  if (format !== undefined && !known.some((each) => each === format))
    throw usage(`--format is "${format}"`, `Pass one of ${known.join(", ")}`);
  const [id] = places;
  if (places.length === 1 && id !== undefined && id !== "-" && !existsSync(id)) {
    await using store = await openRuns(args, terminal);
    const { results, graph } = await store.showRun(id, { signal: terminal.signal });
    const isImportedAlone = Object.keys(graph.nodes).length === 0 || graph.source_type === "unknown";
    return { calls: results, ...(isImportedAlone ? {} : { graph }) };
  }
  const calls: Call[] = [];
  for (const place of places) {
    const text = place === "-" ? await terminal.input() : await readTextFile(place);
    const name = place === "-" ? "stdin" : place;
    if (format === "timeline" || (format === undefined && isTimeline(text))) {
      try {
        calls.push(readTimeline(parseJsonFile(name, text) as Timeline)); // readTimeline() checks it
      } catch (error) {
        throw inFile(error, name);
      }
      continue;
    }
    const chosen = CALL_FORMATS.find((each) => each === format);
    for await (const call of readCalls(text, { name, ...(chosen ? { format: chosen } : {}) })) {
      if (isRecordedCall(call)) calls.push(call);
      else if (call.problem === "damaged")
        throw usage(`record ${call.position} of "${name}": ${call.reason}`, "Repair it, or leave it out");
    }
  }
  return { calls };
}

/** Whether a text is a timeline: an object with events that have a type. */
function isTimeline(text: string): boolean {
  const value = parsedJson(text);
  return isRecord(value) && isRecords(value.events, (event) => "type" in event);
}
