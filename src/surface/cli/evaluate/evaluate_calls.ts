import type { Call } from "../../../document/transcript/mod.ts";
import { END_REASONS } from "../../../document/transcript/mod.ts";
import { type EvaluateOptions, type EvaluationReport, evaluate } from "../../../run/evaluation/mod.ts";
import { DEFAULT_FILE, openStore } from "../../../run/store/mod.ts";
import { chooseModels, loadScenarios, loadSource } from "../../project/mod.ts";
import { REPORTERS } from "../../reporters/mod.ts";
import { type Arguments, type ExitCode, usage } from "../arguments/mod.ts";
import type { Terminal } from "../io/mod.ts";
import { chooseReports } from "../reports/mod.ts";
import { exitCodeOf } from "../run/mod.ts";
import { readEvaluated } from "./read_evaluated.ts";

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
