import type { AgentGraph, Scenario } from "../graph/mod.ts";
import { formatJson, formatJunit, formatReport, styleFor } from "../reporters/mod.ts";
import { estimate, type RunEvent, run } from "../runner/mod.ts";
import type { Arguments } from "./arguments.ts";
import type { ExitCode } from "./command.ts";
import { writeTextFile } from "./files.ts";
import { formatEstimate } from "./format_estimate.ts";
import { chooseScenarios } from "./load_run.ts";
import { openCassette } from "./recordings.ts";
import { readRunOptions } from "./run_options.ts";
import type { Terminal } from "./terminal.ts";

/** Holds the calls that the flags of a run ask for, and reports them. */
export async function executeRun(
  agent: { readonly graph: AgentGraph; readonly name: string },
  scenarios: readonly Scenario[],
  args: Arguments,
  terminal: Terminal,
): Promise<ExitCode> {
  const selected = chooseScenarios(agent.graph, scenarios, args, terminal);
  const options = await readRunOptions(agent.graph, args, terminal);
  if (args.has("estimate")) {
    const estimated = estimate(agent.graph, selected, options);
    terminal.out(args.has("json") ? `${JSON.stringify(estimated, null, 2)}\n` : formatEstimate(estimated));
    return 0;
  }
  await using recordings = await openCassette(args, terminal);
  const store = args.text("db");
  const report = await run(agent.graph, selected, {
    ...options,
    name: agent.name,
    onProgress: createProgress(selected.length, terminal),
    ...(recordings.cassette ? { recordings: recordings.cassette } : {}),
    ...(store === undefined ? {} : { store }),
  });
  terminal.out(args.has("json") ? formatJson(report) : formatReport(report, styleFor(terminal.stdout, terminal.env)));
  if (report.offline && args.has("json")) {
    terminal.err("offline model: these results show that the flow runs, not how well it talks\n");
  }
  const junit = args.text("junit");
  if (junit !== undefined) await writeTextFile(junit, formatJunit(report), { signal: terminal.signal }); // last: what the calls came to is told anyway
  return report.passed && report.storeError === null && report.recordingsError === null ? 0 : 1;
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
