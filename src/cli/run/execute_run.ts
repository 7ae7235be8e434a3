import type { AgentGraph } from "../../graph/mod.ts";
import { formatJson, formatJunit, formatReport, styleFor } from "../../reporters/mod.ts";
import { estimate, type RunReport, run } from "../../runner/mod.ts";
import type { Policy, Scenario } from "../../scenario/mod.ts";
import { DEFAULT_FILE } from "../../store/mod.ts";
import type { ScenarioSummary } from "../../summary/mod.ts";
import type { Arguments, ExitCode } from "../arguments/mod.ts";
import { formatError, formatEstimate } from "../format/mod.ts";
import { checkWritableFile, type Terminal, writeTextFile } from "../io/mod.ts";
import { refuseOverwriting } from "../sources/mod.ts";
import { chooseScenarios } from "./load_run.ts";
import { createProgress } from "./progress.ts";
import { chooseRecordings } from "./recordings.ts";
import { readRunOptions } from "./run_options.ts";

/** Runs the calls that the flags select, and reports the results. */
export async function executeRun(
  agent: {
    readonly graph: AgentGraph;
    readonly name: string;
    readonly policies?: readonly Policy[];
    readonly path?: string;
  },
  scenarios: readonly Scenario[],
  args: Arguments,
  terminal: Terminal,
): Promise<ExitCode> {
  refuseOverwriting("--junit", args.text("junit"), [
    { what: "the results database", path: args.text("db") ?? terminal.env.CALLWEAVE_DB_URL ?? DEFAULT_FILE },
    { what: "the recordings", path: args.text("recordings") },
    { what: "the prices", path: args.text("prices") },
    ...[...args.texts("scenarios"), ...args.texts("tests")].map((path) => ({ what: "the scenarios", path })),
    ...(agent.path === undefined ? [] : [{ what: "the agent", path: agent.path }]),
  ]);
  const junit = args.text("junit");
  if (junit !== undefined) await checkWritableFile(junit); // before calls are paid for
  const selected = chooseScenarios(agent.graph, scenarios, args, terminal);
  const options = await readRunOptions(agent.graph, args, terminal);
  if (args.has("estimate")) {
    const estimated = estimate(agent.graph, selected, options);
    terminal.out(args.has("json") ? `${JSON.stringify(estimated, null, 2)}\n` : formatEstimate(estimated));
    return 0;
  }
  await using chosen = await chooseRecordings(args, terminal);
  const store = args.text("db");
  const report = await run(agent.graph, selected, {
    ...options,
    name: agent.name,
    policies: agent.policies ?? [],
    listeners: { onProgress: createProgress(selected, terminal) },
    ...(chosen.recordings ? { recordings: chosen.recordings } : {}),
    ...(store === undefined ? {} : { store }),
  });
  const shown = { calls: !(terminal.stdout.isTTY && terminal.stderr.isTTY) }; // else the progress has shown them
  const text = args.has("json")
    ? formatJson(report)
    : formatReport(report, styleFor(terminal.stdout, terminal.env), shown);
  const isPrinted = await isWritten(terminal, async () => {
    terminal.out(text);
    await terminal.flush();
  });
  if (!isPrinted) terminal.err(formatReport(report, styleFor(terminal.stderr, terminal.env)));
  if (report.offline && args.has("json")) {
    terminal.err("offline model: these results show that the flow runs, not how well it talks\n");
  }
  const isReported =
    junit === undefined ||
    (await isWritten(terminal, () => writeTextFile(junit, formatJunit(report), { signal: terminal.signal })));
  return exitCodeOf(report, isPrinted && isReported);
}

/** Writes an output of calls that are over. Where it fails, the error is reported and the others are still written. */
async function isWritten({ err }: Terminal, write: () => Promise<void>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    err(formatError(error));
    return false;
  }
}

function exitCodeOf({ scenarios, passed, storeError, recordingsError }: RunReport, isReported: boolean): ExitCode {
  const isBroken = ({ verdict, counts }: ScenarioSummary) => verdict === "undecided" && counts.error > 0;
  const isIncomplete = scenarios.some(isBroken) || storeError !== null || recordingsError !== null || !isReported;
  if (!scenarios.some(({ verdict }) => verdict === "fail") && isIncomplete) return 3;
  return passed ? 0 : 1;
}
