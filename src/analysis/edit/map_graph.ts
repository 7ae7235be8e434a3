import { replacePlaceholders } from "../../expressions/mod.ts";
import {
  type AgentGraph,
  type AgentNode,
  type GlobalNodeSetting,
  ORIGINAL,
  type TransitionCondition,
} from "../../graph/mod.ts";
import { isRecord } from "../../values/mod.ts";

/** The graph with each node replaced; a node may get another id, or become several. */
export function mapNodes(graph: AgentGraph, change: (node: AgentNode) => readonly AgentNode[]): AgentGraph {
  const nodes = Object.values(graph.nodes).flatMap(change);
  return { ...graph, nodes: Object.fromEntries(nodes.map((node) => [node.id, node])) };
}

/** The graph with each prompt replaced: those of nodes, the general one and the first message. */
export function mapPrompts(graph: AgentGraph, change: (text: string) => string): AgentGraph {
  const { general_prompt: prompt, begin_message: opening } = graph.source_metadata;
  const changed = mapNodes(graph, (node) => [{ ...node, state_prompt: change(node.state_prompt) }]);
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
  return mapNodes(graph, (node) => [
    {
      ...node,
      transitions: node.transitions.map(changed),
      ...(node.global_node_setting ? { global_node_setting: global(node.global_node_setting) } : {}),
    },
  ]);
}

/** The value with the placeholders of a variable renamed in all texts, settings of platforms included. */
export function renamePlaceholders<Value>(value: Value, from: string, to: string): Value {
  const rename = (text: string): string =>
    replacePlaceholders(text, (inner, written) => {
      const name = (inner.split("|")[0] ?? "").trim();
      return [name, (name.split(".")[0] ?? "").trim()].includes(from) ? written.replace(from, () => to) : undefined;
    });
  const visit = (item: unknown): unknown => {
    if (typeof item === "string") return rename(item);
    if (Array.isArray(item)) return item.map(visit);
    if (!isRecord(item)) return item;
    return Object.fromEntries(Object.entries(item).map(([key, part]) => [key, key === ORIGINAL ? part : visit(part)]));
  };
  return visit(value) as Value; // texts are replaced by texts
}
