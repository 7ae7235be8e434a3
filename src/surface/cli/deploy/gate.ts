import type { Loss } from "../../../../platforms/mod.ts";
import type { DeployTarget } from "../../../deploy/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";
import { parseScenarios } from "../../../document/scenario/mod.ts";
import type { Project } from "../../project/mod.ts";
import { exportedScenarios, loadScenarios } from "../../project/mod.ts";
import { type Arguments, type Flag, usage } from "../arguments.ts";
import { runSummary } from "../run/mod.ts";
import type { CommandAgent } from "./agent.ts";
import type { DeployTerminal } from "./deploy_run.ts";

/** Flags that name the run, or the scenarios, that must pass before a deployment. */
export const GATE_FLAGS = {
  "require-run": { value: "RUN", description: "Refuse unless this run, or any run, of exactly this agent has passed" },
  scenarios: {
    value: "FILE",
    repeats: true,
    description: "Run these scenarios first, and refuse unless all of them pass",
  },
  model: { value: "MODEL", description: "With --scenarios: the model of the calls, as in callweave run" },
  db: { value: "URL", description: "Results database of the gate (default: .callweave/results.db)" },
} satisfies { readonly [name: string]: Flag };

/** Stands for any run of the agent. */
const ANY_RUN = "any";

/**
 * Checks that the agent passed the run that the flags ask for.
 *
 * @throws {DeployError} `gate`.
 */
export async function passGate(
  agent: CommandAgent,
  project: Project,
  args: Arguments,
  terminal: DeployTerminal,
): Promise<void> {
  const required = args.text("require-run");
  const files = args.texts("scenarios");
  if (required !== undefined && files.length > 0)
    throw usage("--require-run and --scenarios both choose the run", "Pass one of them");
  if (required === undefined && files.length === 0) return;
  const id = files.length > 0 ? await runScenarios(agent, files, args, terminal) : required;
  const [{ requireRun }, { openStore }] = await Promise.all([
    import("../../../deploy/mod.ts"),
    import("../../../run/store/mod.ts"),
  ]);
  const { signal } = terminal;
  await using store = await openStore(args.text("db"), { signal, create: false });
  const scenarios = await wantedScenarios(agent, project, args, terminal);
  const run = await requireRun(agent.graph, store, {
    ...{ signal, ...(id === ANY_RUN ? {} : { run: id }), ...(scenarios.length > 0 ? { scenarios } : {}) },
  });
  const offline = run.models.agent === "offline" ? " on the offline model, which shows that the flow runs" : "";
  terminal.err(`gate: run ${run.id} of this agent passed${offline}\n`);
}

/** Refuses losses that the environment does not accept, if it lists accepted losses or the gate is on. */
export async function passLosses(losses: readonly Loss[], { settings }: DeployTarget, args: Arguments): Promise<void> {
  const accepted = settings?.acceptLosses;
  const isAsked = args.text("require-run") !== undefined || args.texts("scenarios").length > 0;
  if (accepted === undefined && !isAsked) return;
  const { requireAcceptedLosses } = await import("../../../deploy/mod.ts");
  requireAcceptedLosses(losses, accepted ?? []);
}

/**
 * The scenarios that the run must have had: those of the flags or the configuration, else those that the agent's module
 * exports. None: those that the run was started with.
 */
async function wantedScenarios(agent: CommandAgent, project: Project, args: Arguments, terminal: DeployTerminal) {
  const given = args.texts("scenarios");
  const files = given.length > 0 || agent.path !== project.source ? given : project.scenarioFiles;
  if (files.length === 0) return parseScenarios(exportedScenarios(agent.exports));
  return (await Promise.all(files.map((file) => loadScenarios(file, terminal)))).flat();
}

async function runScenarios(
  { graph, name }: { readonly graph: AgentGraph; readonly name: string },
  files: readonly string[],
  args: Arguments,
  terminal: DeployTerminal,
): Promise<string> {
  const loaded = await Promise.all(files.map((file) => loadScenarios(file, terminal)));
  return await runSummary({ graph, name }, loaded.flat(), args, terminal);
}
