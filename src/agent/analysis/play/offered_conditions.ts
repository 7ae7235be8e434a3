import { own } from "../../../base/values/mod.ts";
import { type AgentGraph, type AgentNode, waysAfterHearing, waysBack } from "../../../document/graph/mod.ts";

/**
 * The conditions that a model sees for a target at a node: the node's own, or that of a global node, or those of going
 * back.
 */
export function conditionsTo(graph: AgentGraph, node: AgentNode, target: string): readonly string[] {
  const mine = ownConditions(node, target);
  if (mine.length > 0) return mine;
  const entry = own(graph.nodes, target)?.global_node_setting?.condition;
  if (entry !== undefined && target !== node.id) return [entry];
  return waysBack(node).offered.map(({ condition }) => condition.value);
}

/** The conditions of a node's own transitions that a model is asked about; only those to `target`, if it is given. */
export function ownConditions(node: AgentNode, target?: string): readonly string[] {
  return waysAfterHearing(node)
    .offered.filter(({ target_node_id: id }) => target === undefined || id === target)
    .map(({ condition }) => condition.value);
}
