import { isRecord } from "../../../base/values/mod.ts";
import {
  type AgentGraph,
  type AgentNode,
  type GlobalNodeSetting,
  ORIGINAL,
  type TransitionCondition,
} from "../../../document/graph/mod.ts";

/** The graph with each node replaced; a node may get another id, or become several. */
export function replaceNodes(graph: AgentGraph, change: (node: AgentNode) => readonly AgentNode[]): AgentGraph {
  const nodes = Object.values(graph.nodes).flatMap(change);
  return { ...graph, nodes: Object.fromEntries(nodes.map((node) => [node.id, node])) };
}

/** The graph with each prompt replaced: those of nodes, the general one and the first message. */
export function mapPrompts(graph: AgentGraph, change: (text: string) => string): AgentGraph {
  const { general_prompt: prompt, begin_message: opening } = graph.source_metadata;
  const changed = replaceNodes(graph, (node) => [{ ...node, state_prompt: change(node.state_prompt) }]);
  const source_metadata = {
    ...graph.source_metadata,
    ...(typeof prompt === "string" ? { general_prompt: change(prompt) } : {}),
    ...(typeof opening === "string" ? { begin_message: change(opening) } : {}),
  };
  return { ...changed, source_metadata };
}

/** The graph with each condition replaced, those to go back included. */
export function mapConditions(
  graph: AgentGraph,
  change: (condition: TransitionCondition) => TransitionCondition,
): AgentGraph {
  const changed = <Holder extends { readonly condition: TransitionCondition }>(holder: Holder): Holder => ({
    ...holder,
    condition: change(holder.condition),
  });
  const global = (setting: GlobalNodeSetting): GlobalNodeSetting => ({
    ...setting,
    go_back_conditions: setting.go_back_conditions.map(changed),
  });
  return replaceNodes(graph, (node) => [
    {
      ...node,
      transitions: node.transitions.map(changed),
      ...(node.global_node_setting ? { global_node_setting: global(node.global_node_setting) } : {}),
    },
  ]);
}

/** The graph with the settings of platforms changed: of the graph, of nodes, tools, transitions and global nodes. */
export function mapSettings(graph: AgentGraph, change: (settings: unknown) => unknown): AgentGraph {
  const inside = <Holder extends object>(holder: Holder): Holder => {
    const settings = "metadata" in holder ? holder.metadata : undefined;
    return isRecord(settings) ? { ...holder, metadata: change(settings) } : holder;
  };
  const changed = replaceNodes(graph, (node) => [
    inside({
      ...node,
      tools: node.tools.map(inside),
      transitions: node.transitions.map(inside),
      ...(node.global_node_setting ? { global_node_setting: inside(node.global_node_setting) } : {}),
    }),
  ]);
  const source = Object.entries(graph.source_metadata).map(([owner, value]) => {
    return [owner, owner !== ORIGINAL && isRecord(value) ? change(value) : value] as const;
  });
  return { ...changed, source_metadata: Object.fromEntries(source) };
}
