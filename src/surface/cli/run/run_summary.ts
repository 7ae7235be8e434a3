import { styleFor } from "../../../base/values/mod.ts";
import { type AgentGraph, withNodeNames } from "../../../document/graph/mod.ts";
import type { Scenario } from "../../../document/scenario/mod.ts";
import { run } from "../../../run/runner/mod.ts";
import { formatReport } from "../../reporters/mod.ts";
import type { Arguments } from "../arguments.ts";
import type { Terminal } from "../io/mod.ts";
import { chooseScenarios } from "./load_run.ts";
import { createProgress } from "./progress.ts";
import { readRunOptions } from "./read_settings.ts";

/** Runs scenarios for another command: the report goes to standard error. Returns the run's id. */
export async function runSummary(
  { graph, name }: { readonly graph: AgentGraph; readonly name: string },
  scenarios: readonly Scenario[],
  args: Arguments,
  terminal: Terminal,
): Promise<string> {
  const selected = chooseScenarios(graph, scenarios, args, terminal);
  const options = await readRunOptions({ graph, name }, args, terminal);
  using progress = createProgress(selected, terminal, { ...options, graph });
  const report = await run(graph, selected, {
    ...options,
    share: { selectedFrom: scenarios },
    name,
    listeners: { onProgress: progress.onProgress },
  });
  progress.close();
  terminal.err(formatReport(withNodeNames(report, graph), styleFor(terminal.stderr, terminal.env), { calls: false }));
  return report.id;
}
