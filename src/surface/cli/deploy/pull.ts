import { dirname } from "node:path";
import { emit } from "../../../../platforms/mod.ts";
import { oneLine } from "../../../base/values/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";
import { formatGraph } from "../../../document/graph/mod.ts";
import { readProject } from "../../project/mod.ts";
import { type Arguments, type Command, EXAMPLE, usage } from "../arguments.ts";
import { formatTerminal } from "../diff/mod.ts";
import { listStyle } from "../format/mod.ts";
import { schemaPath, writeTextFile } from "../io/mod.ts";
import { readChoice } from "../run/mod.ts";
import { type CommandAgent, deployTargetOf, loadAgent, loadBase } from "./agent.ts";
import { type DeployTerminal, deployRun } from "./deploy_run.ts";
import { AGENT, AGENT_FLAGS, BASE_FLAG, NOTES, nextCommand, PLACE_FLAGS } from "./flags.ts";
import { conflictLines, valueLines } from "./format_plan.ts";
import { ejectedFiles, rewriteEjected, writeEjected } from "./import.ts";
import { readDeployTarget } from "./target.ts";

const SIDES = ["local", "remote"] as const;

/** `callweave deploy pull`. */
export const deployPullCommand: Command = {
  name: "deploy pull",
  summary: "Merge changes made on the platform into the agent's files",
  spec: {
    positionals: [AGENT],
    flags: {
      ...PLACE_FLAGS,
      ...BASE_FLAG,
      take: {
        value: "SIDE",
        description: "Whose value wins in conflicts: local or remote",
      },
      out: {
        value: "PATH",
        description: "Write to this *.callweave.json file, or as TypeScript to this folder, instead",
      },
      json: { description: "Print { changes, conflicts, notPulled, written } as JSON" },
      ...AGENT_FLAGS,
    },
  },
  notes: [
    ...NOTES,
    "JSON is edited in place. TypeScript is rewritten if it is exactly what callweave eject writes for the agent;",
    "any other module stays as it is: the changes are printed, and --out writes the agent elsewhere.",
    "Exit code 1 for conflicts without --take, and for changes that were not written.",
  ],
  examples: [
    `callweave deploy pull agent.callweave.json --to ${EXAMPLE.format}`,
    "callweave deploy pull --env production --take remote",
  ],
  run: deployRun(async (args, terminal) => {
    const take = readChoice(args, "take", SIDES);
    const project = await readProject(args.text("folder") ?? ".", terminal);
    const target = readDeployTarget(args, project, terminal);
    const agent = await loadAgent(args, project, terminal);
    const previous = await loadBase(args, project, terminal);
    const { pull } = await import("../../../deploy/mod.ts");
    const pulled = await pull(agent.graph, deployTargetOf(target, agent, previous), take === undefined ? {} : { take });
    const { changes, conflicts, notPulled } = pulled;
    const isOpen = conflicts.length > 0 && take === undefined;
    const written = isOpen || changes.length === 0 ? [] : await write(agent, pulled.graph, args, terminal);
    const isElsewhere = args.text("out") !== undefined;
    // the agent itself now has the changes, or has them already
    if (!isOpen && !isElsewhere && (written.length > 0 || changes.length === 0)) await pulled.saved();
    const style = listStyle(terminal.stdout, terminal.env);
    if (args.has("json")) terminal.out(`${JSON.stringify({ changes, conflicts, notPulled, written }, null, 2)}\n`);
    else {
      terminal.out(formatTerminal({ name: agent.name, changes }, style));
      terminal.out(conflictLines(conflicts, style, take));
      terminal.out(valueLines("Not pulled: a graph cannot hold it, and it stays on the platform", notPulled, style));
      for (const path of written) terminal.out(`wrote ${oneLine(path)}\n`);
    }
    if (written.length > 0 && !isElsewhere && !args.has("json")) terminal.err(`${nextCommand("plan", args)}\n`);
    if (isOpen) terminal.err("nothing was written; choose a side with --take local or --take remote\n");
    return isOpen || (changes.length > 0 && written.length === 0) ? 1 : 0;
  }),
};

/** Writes the pulled agent to its source, or to the path of the flags. Returns the files. */
async function write(
  agent: CommandAgent,
  graph: AgentGraph,
  args: Arguments,
  terminal: DeployTerminal,
): Promise<readonly string[]> {
  const { path, name, format } = agent;
  const out = args.text("out");
  if (out !== undefined) return await writeElsewhere(out, graph, name);
  if (path === "-") throw usage("standard input cannot be written", "Name a file with --out");
  if (format === "code") {
    const before = await ejectedFiles(path, agent.graph, name);
    if (before) return await rewriteEjected(dirname(path), before, graph, name);
    const hint = "it is not what callweave eject writes, so it stays as it is";
    terminal.err(`${oneLine(path)}: ${hint}; make the changes there, or write the agent elsewhere with --out\n`);
    return [];
  }
  const text = format === "graph" ? formatGraph(graph, schemaPath("graph", path)) : emit(graph, format).text;
  await writeTextFile(path, text);
  return [path];
}

async function writeElsewhere(out: string, graph: AgentGraph, name: string): Promise<readonly string[]> {
  if (out.endsWith(".json")) {
    await writeTextFile(out, formatGraph(graph, schemaPath("graph", out)));
    return [out];
  }
  const { written, taken } = await writeEjected(out, graph, name);
  if (taken !== undefined) throw usage(`"${taken}" exists`, "Name another folder with --out, or remove the file");
  return written;
}
