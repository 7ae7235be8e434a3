import type { Path } from "../../../../src/errors.ts";
import { bareName } from "../../../../src/expressions/mod.ts";
import { type AgentGraph, type AgentNode, checkEntry } from "../../../../src/graph/mod.ts";
import {
  type CallState,
  contractChains,
  expandSnippets,
  guardGoBacks,
  lower,
  multiplyGlobals,
} from "../../../lower/mod.ts";
import { LossList, nodeOf } from "../common/mod.ts";
import { hasSameSettings } from "../settings/mod.ts";
import type { TextContext } from "../text/mod.ts";
import { nameVariables, reportAskedValues, type VariableTable } from "../text/mod.ts";
import { Markers } from "./markers.ts";
import { isTracked, outcomeGuard, outcomeWords, toolOfNode } from "./outcomes.ts";
import { type Plan, planGraph } from "./plan.ts";
import { workGuard } from "./work_guard.ts";

/** What everything that is emitted for one graph has in common. */
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
 * Lays the graph out for one emission.
 *
 * @throws {GraphError} `unknown-entry`: an assistant and a squad are nothing without it.
 */
export function createContext(
  graph: AgentGraph,
  options: { readonly inlineDefaults: boolean; readonly contract: boolean },
): EmitContext {
  checkEntry(graph, "Cannot emit graph");
  const losses = new LossList();
  const variables = nameVariables(graph);
  const markers = new Markers(variables);
  const state: CallState = {
    outcome: (node, transition) => outcomeGuard(node, transition, markers),
    outcomeWords: (node, transition) => outcomeWords(node, transition, ({ name }) => name),
    work: (node) => workGuard(node, markers),
  };
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
  for (const loss of lowered.losses) losses.add(loss);
  const globals = Object.values(graph.nodes).filter(({ global_node_setting: setting }) => setting?.condition);
  const plan = planGraph(
    lowered,
    globals.map(({ id }) => id),
    state,
  );
  for (const [name, emitted] of variables.renamed)
    losses.emulated(
      "variable-renamed",
      ["variables", name],
      `Vapi has no place for a variable called "${name}"`,
      `the variable "${emitted}", in prompts, guards and aliases alike`,
      "Use letters, digits and underscores, at most 40, and none of Vapi's own names",
    );
  reportAskedValues(graph, variables.isOwn, losses);
  return { graph: lowered.graph, source: graph, expanded, losses, variables, markers, plan, ...options };
}

/** Where the graph asks whether a variable is set. */
export function presenceClauses(graph: AgentGraph): readonly { readonly name: string; readonly path: Path }[] {
  return Object.values(graph.nodes).flatMap(({ id, transitions }) =>
    transitions.flatMap(({ condition }, index) =>
      (condition.type === "equation" ? (condition.equations ?? []) : [])
        .filter(({ operator }) => operator === "exists" || operator === "not_exist")
        .map(({ left }) => ({ name: bareName(left), path: ["nodes", id, "transitions", index] })),
    ),
  );
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
  const { markers } = context;
  const names = workOf(id, context).flatMap((node) => [
    ...(node.node_type === "extract" && node.variables_to_extract.length > 0 ? [markers.extracted(node.id)] : []),
    ...node.tools
      .filter(({ name }) => markers.isAnswerRead(node, name))
      .map(({ name }) => markers.answered(node, name)),
  ]);
  return [...new Set(names)];
}
