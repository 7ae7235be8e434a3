import { type ReplayOptions, replay } from "../../../run/replay/mod.ts";
import { DEFAULT_FILE } from "../../../run/store/mod.ts";
import { chooseModels, loadScenarios, loadSource } from "../../project/mod.ts";
import { REPORTERS } from "../../reporters/mod.ts";
import type { Arguments, ExitCode } from "../arguments.ts";
import type { Terminal } from "../io/mod.ts";
import { chooseReports } from "../reports/mod.ts";
import { exitCodeOf } from "../run/mod.ts";
import { openRuns } from "../runs/mod.ts";

/** Replays the selected calls, and reports where they diverge. */
export async function runReplay(args: Arguments, terminal: Terminal, replayOptions: ReplayOptions): Promise<ExitCode> {
  const files = args.texts("scenarios");
  const path = args.at("SOURCE");
  const inputs = [
    { what: "the results database", path: args.text("db") ?? terminal.env.CALLWEAVE_DB_URL ?? DEFAULT_FILE },
    ...files.map((path) => ({ what: "the scenarios", path })),
    ...(path !== "" ? [{ what: "the agent", path }] : []),
  ];
  const fallback = REPORTERS.terminal;
  const reports = await chooseReports(args, terminal, { inputs, fallback });
  const place = { exportName: args.text("export"), format: args.text("from") };
  const source = path !== "" ? await loadSource(path, terminal, place) : undefined;
  const scenarios = (await Promise.all(files.map((file) => loadScenarios(file, terminal)))).flat();
  await using store = await openRuns(args, terminal);
  const stored = await store.showRun(args.at("RUN"), { signal: terminal.signal });
  const graph = source?.graph ?? stored.graph;
  const flags = {
    model: args.text("model"),
    callerModel: args.text("caller-model"),
    judgeModel: args.text("judge-model"),
  };
  const report = await replay(stored, graph, {
    ...replayOptions,
    scenarios,
    models: chooseModels(flags, terminal.env, graph.default_model),
    signal: terminal.signal,
    store,
    ...(source ? { name: source.name } : {}),
    listeners: { onProgress: reports.onEvent },
  });
  const { isComplete } = await reports.write(report, { graph, files });
  return exitCodeOf(report, isComplete);
}
