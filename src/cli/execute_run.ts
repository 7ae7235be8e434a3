import { checkScenarios } from "../analysis/mod.ts";
import type { AgentGraph, Scenario } from "../graph/mod.ts";
import { formatJson, formatJunit, formatReport, styleFor } from "../reporters/mod.ts";
import { type RunEvent, run } from "../runner/mod.ts";
import { type Arguments, readNumber } from "./arguments.ts";
import { chooseModels } from "./choose_models.ts";
import type { ExitCode } from "./command.ts";
import { writeTextFile } from "./files.ts";
import { selectScenarios } from "./load_scenarios.ts";
import type { Terminal } from "./terminal.ts";

/** Holds the calls that the flags of a run ask for, and reports them. */
export async function executeRun(
  agent: { readonly graph: AgentGraph; readonly name: string },
  scenarios: readonly Scenario[],
  args: Arguments,
  terminal: Terminal,
): Promise<ExitCode> {
  const selected = selectScenarios(scenarios, args.texts("scenario"));
  const [concurrency, maxTurns, threshold] = [
    readNumber(args, "concurrency", 1, Number.POSITIVE_INFINITY),
    readNumber(args, "max-turns", 1, Number.POSITIVE_INFINITY),
    readNumber(args, "threshold", 0, 1),
  ];
  const { model, callerModel, judgeModel } = {
    model: args.text("model"),
    callerModel: args.text("caller-model"),
    judgeModel: args.text("judge-model"),
  };
  for (const { severity, code, message, hint } of checkScenarios(agent.graph, selected)) {
    if (severity === "warning") terminal.err(`warning[${code}] ${message} — ${hint}\n`);
  }
  const store = args.text("db");
  const report = await run(agent.graph, selected, {
    name: agent.name,
    models: chooseModels({ model, callerModel, judgeModel }, terminal.env, agent.graph.default_model),
    signal: terminal.signal,
    onProgress: createProgress(selected.length, terminal),
    ...(store === undefined ? {} : { store }),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(maxTurns === undefined ? {} : { maxTurns }),
    ...(threshold === undefined ? {} : { threshold }),
  });
  const junit = args.text("junit");
  if (junit !== undefined) await writeTextFile(junit, formatJunit(report));
  terminal.out(args.has("json") ? formatJson(report) : formatReport(report, styleFor(terminal.stdout, terminal.env)));
  if (report.offline && args.has("json")) {
    terminal.err("offline model: these results show that the flow runs, not how well it talks\n");
  }
  return report.passed && report.storeError === null ? 0 : 1;
}

/** A line that counts finished calls, for people who wait at a terminal; pipes and logs get none. */
function createProgress(total: number, { stderr, err }: Terminal): (event: RunEvent) => void {
  let finished = 0;
  return (event) => {
    if (!stderr.isTTY || event.kind !== "call-end") return;
    finished++;
    err(finished < total ? `\r\u001b[K${finished} of ${total} calls` : "\r\u001b[K");
  };
}
