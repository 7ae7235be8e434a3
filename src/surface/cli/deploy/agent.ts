import { isCallweaveError } from "../../../base/errors.ts";
import type { DeployTarget } from "../../../deploy/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";
import type { Project } from "../../project/mod.ts";
import { type AgentSource, loadSource } from "../../project/mod.ts";
import { type Arguments, usage } from "../arguments.ts";
import { loadVersion } from "../diff/mod.ts";
import type { Terminal } from "../io/mod.ts";

/** An agent that a command works on. */
export interface CommandAgent extends AgentSource {
  readonly path: string;
}

/** Loads the agent named on the command line, else the configured one. */
export async function loadAgent(args: Arguments, project: Project, terminal: Terminal): Promise<CommandAgent> {
  const given = args.at("SOURCE");
  const path = given || project.source;
  if (path === undefined) throw usage("SOURCE is missing", "Name the agent: a module that exports a graph, or JSON");
  const source = await loadSource(path, terminal, optionsFor(args, project));
  return { ...source, path };
}

function optionsFor(args: Arguments, project: Project) {
  const isOwn = args.at("SOURCE") === "" || args.at("SOURCE") === project.source;
  return {
    exportName: args.text("export") ?? (isOwn ? project.exportName : undefined),
    format: args.text("from") ?? (isOwn ? project.from : undefined),
  };
}

/** The deployment of an agent: under its own name, unless a flag gives another one. */
export function deployTargetOf(
  target: DeployTarget,
  { name }: Pick<CommandAgent, "name">,
  previous?: AgentGraph,
): DeployTarget {
  return { ...target, flow: target.flow ?? name, ...(previous ? { previous } : {}) };
}

/**
 * The version of an agent that was deployed last, for a machine that did not deploy it. `undefined` if the file does not
 * exist at the revision.
 */
export async function loadBase(args: Arguments, project: Project, terminal: Terminal): Promise<AgentGraph | undefined> {
  const base = args.text("base");
  if (base === undefined) return undefined;
  try {
    return (await loadVersion(base, terminal, optionsFor(args, project))).graph;
  } catch (error) {
    if (!isCallweaveError(error) || error.code !== "unreadable-file" || !base.includes(":")) throw error;
    terminal.err(`note: ${error.message}; planning without it\n`);
    return undefined;
  }
}
