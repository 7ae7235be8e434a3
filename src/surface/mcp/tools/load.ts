import { UsageError } from "../../../base/errors.ts";
import { oneLine, quotedList } from "../../../base/values/mod.ts";
import { type AgentGraph, agentName } from "../../../document/graph/mod.ts";
import { type Policy, parseScenarios, type Scenario } from "../../../document/scenario/mod.ts";
import {
  type AgentSource,
  exportedScenarios,
  graphsIn,
  loadPolicies,
  loadScenarios,
  loadSource,
} from "../../project/mod.ts";
import type { ToolContext } from "../settings.ts";

/** An agent of the project. */
export interface LoadedAgent extends AgentSource {
  /** The export of the module; the agent's name for a document. */
  readonly id: string;
}

const reader = (context: ToolContext) => ({ env: context.env, input: async () => "", warn: () => {} });

/** Where the agent of the project is. */
export function sourceOf({ settings: { source } }: ToolContext): string {
  if (source !== undefined) return source;
  throw new UsageError("Cannot find an agent: the project names none", {
    code: "usage",
    hint: 'Start the server with callweave mcp SOURCE, or write "source" into callweave.config.json',
  });
}

/** The ids of the project's agents: the graphs that its module exports, or the one of its document. */
export async function agentIds(context: ToolContext): Promise<readonly string[]> {
  const source = sourceOf(context);
  const { exportName } = context.settings;
  const exported = await graphsIn(source, context.env);
  if (exportName !== undefined) return [exportName];
  return exported ?? [(await loadAgent(context)).id];
}

/**
 * Loads an agent of the project.
 *
 * @param id Needed if there are several.
 */
export async function loadAgent(context: ToolContext, id?: string): Promise<LoadedAgent> {
  const source = sourceOf(context);
  const { exportName, format } = context.settings;
  const exported = await graphsIn(source, context.env);
  const ids = exportName === undefined ? exported : [exportName];
  if (ids && id !== undefined && !ids.includes(id)) throw unknownAgent(id, ids);
  const [only, other] = ids ?? [];
  const chosen = id ?? (other === undefined ? only : undefined);
  if (ids && ids.length > 1 && chosen === undefined) throw severalAgents(ids);
  const loaded = await loadSource(source, reader(context), { exportName: ids ? chosen : undefined, format });
  const name = ids ? (chosen ?? loaded.name) : loaded.name;
  if (!ids && id !== undefined && id !== name) throw unknownAgent(id, [name]);
  return { ...loaded, id: name };
}

/** The scenarios of the project. */
export async function scenariosOf(
  agent: Pick<AgentSource, "exports">,
  context: ToolContext,
): Promise<readonly Scenario[]> {
  const { scenarioFiles } = context.settings;
  const loaded = await Promise.all(scenarioFiles.map((file) => loadScenarios(file, reader(context))));
  return scenarioFiles.length > 0 ? loaded.flat() : parseScenarios(exportedScenarios(agent.exports));
}

/** The policies of the project. */
export async function policiesOf(
  agent: Pick<AgentSource, "exports">,
  context: ToolContext,
): Promise<readonly Policy[]> {
  return await loadPolicies(agent.exports, context.settings.policyFiles, reader(context));
}

/** The name of an agent, as people gave it. */
export function nameOf(graph: AgentGraph, fallback: string): string {
  return agentName(graph) ?? fallback;
}

function unknownAgent(id: string, known: readonly string[]): UsageError {
  return new UsageError(`Cannot find the agent "${oneLine(id)}"`, {
    code: "no-export",
    path: ["agent"],
    hint: `Name one of ${quotedList(known, 20)}`,
  });
}

function severalAgents(ids: readonly string[]): UsageError {
  return new UsageError("Cannot choose an agent: the project has several", {
    code: "no-export",
    path: ["agent"],
    hint: `Pass agent: one of ${quotedList(ids, 20)}`,
  });
}
