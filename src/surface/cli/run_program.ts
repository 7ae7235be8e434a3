import { formatError } from "../../base/values/mod.ts";
import { type AgentGraph, agentName, toGraph } from "../../document/graph/mod.ts";
import { type ScenarioSource, toScenarios } from "../../document/scenario/mod.ts";
import { type Command, type ExitCode, readArguments } from "./arguments.ts";
import { configDefaults } from "./config/mod.ts";
import { asksForHelp, formatCommandHelp } from "./help.ts";
import { safeTerminal, type Terminal } from "./io/mod.ts";
import { executeRun, RUN_FLAGS } from "./run/mod.ts";

/** Runs scenarios with the flags of a command line. Never throws. */
export async function runProgram(
  graph: AgentGraph,
  scenarios: readonly ScenarioSource[],
  argv: readonly string[],
  terminalInput: Terminal,
): Promise<ExitCode> {
  const terminal = safeTerminal(terminalInput);
  const spec = { positionals: [], flags: RUN_FLAGS };
  const run: Command["run"] = async (args) => {
    const agent = toGraph(graph, "Cannot run scenarios");
    const name = agentName(agent) ?? "agent";
    return await executeRun({ graph: agent, name }, toScenarios(scenarios), args, terminal);
  };
  try {
    if (asksForHelp(argv)) {
      const summary = "Run the scenarios of this file, judge them and store the results";
      terminal.out(formatCommandHelp({ name: "run", summary, spec, examples: [], run }, "SCENARIOS.ts"));
      return 0;
    }
    const defaults = await configDefaults({ name: "run", spec }, terminal);
    const code = await run(await readArguments(argv, spec, "run", defaults), terminal);
    await terminal.flush(); // process.exit() after this loses nothing
    return code;
  } catch (error) {
    terminal.err(formatError(error));
    return 2;
  }
}
