import { type AgentGraph, type AgentNode, checkEntry } from "../../../../src/graph/mod.ts";
import { contractChains, expandSnippets, guardGoBacks, lower, multiplyGlobals } from "../../../lower/mod.ts";
import { LossList, nodeOf } from "../common/mod.ts";
import { hasSameSettings } from "../settings/mod.ts";
import { nameVariables, reportAskedValues, type TextContext, type VariableTable } from "../text/mod.ts";
import { Markers } from "./markers.ts";
import { isTracked, toolOfNode } from "./outcomes.ts";
import { type Plan, planGraph } from "./plan.ts";

/** What is shared by all parts of one emission. */
export interface EmitContext extends TextContext {
  readonly plan: Plan;
  /** The graph with its snippets written out, and every node. */
  readonly expanded: AgentGraph;
  /** Whether chains were to be merged. */
  readonly contract: boolean;
  readonly variables: VariableTable;
  readonly markers: Markers;
}

/**
 * Lowers a graph and plans its members for one emission.
 *
 * @throws {GraphError} `unknown-entry`: assistants and squads need an entry node.
 */
export function createContext(
  graph: AgentGraph,
  options: { readonly isAssistant: boolean; readonly contract: boolean },
): EmitContext {
  checkEntry(graph, "Cannot emit graph");
  const losses = new LossList();
  const variables = nameVariables(graph);
  const markers = new Markers(variables);
  for (const node of Object.values(graph.nodes)) {
    const tool = toolOfNode(node);
    if (isTracked(tool)) markers.answered(node, tool.name);
  }
  const { graph: expanded } = lower(graph, [expandSnippets]);
  const lowered = lower(expanded, [
    ...(options.contract ? [contractChains((node, next) => hasSameSettings(graph, node, next))] : []),
    multiplyGlobals,
    guardGoBacks((id) => markers.origin(id)),
  ]);
  for (const loss of lowered.losses) losses.add(loss.code, loss.path, loss);
  const globals = Object.values(graph.nodes).filter(({ global_node_setting: setting }) => setting?.condition);
  const plan = planGraph(
    lowered,
    globals.map(({ id }) => id),
    markers,
  );
  for (const [name, emitted] of variables.renamed) losses.add("variable-renamed", ["variables", name], name, emitted);
  reportAskedValues(graph, variables.isOwn, losses);
  return { graph: lowered.graph, source: graph, expanded, losses, variables, markers, plan, ...options };
}

/** The nodes whose work a member does before it leads on: its own, and the silent ones on its ways out. */
export function workOf(id: string, context: EmitContext): readonly AgentNode[] {
  const { graph, expanded, plan } = context;
  const rest = plan.merged.get(id);
  const steps = rest ? [id, ...rest].flatMap((each) => nodeOf(expanded, each) ?? []) : (nodeOf(graph, id) ?? []);
  const passed = new Set((plan.routes.get(id) ?? []).flatMap(({ through }) => through));
  return [...new Set([steps, [...passed].flatMap((each) => nodeOf(graph, each) ?? [])].flat())];
}

/** Variables that mark a member's work as done. A handoff back resets them: a second look-up may fail. */
export function markersOf(id: string, context: EmitContext): readonly string[] {
  return [...new Set(workOf(id, context).flatMap((node) => context.markers.done(node)))];
}
