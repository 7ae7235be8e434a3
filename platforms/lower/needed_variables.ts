import { own } from "../../src/base/values/mod.ts";
import { clauseVariables } from "../../src/document/expressions/mod.ts";
import { type AgentGraph, type AgentNode, isSilent, type Transition } from "../../src/document/graph/mod.ts";

/**
 * Returns the variables that a call needs to continue after extract nodes: an equation of a silent node compares them,
 * and the node has no fallback. All others are optional, because a missing value is better than an invented one.
 */
export function variablesAfterExtraction(group: readonly AgentNode[], graph: AgentGraph): ReadonlySet<string> {
  const found = new Set<string>();
  const seen = new Set<string>();
  const open = group.filter(({ node_type }) => node_type === "extract");
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (seen.has(node.id)) continue;
    seen.add(node.id);
    const hasFallback = node.transitions.some(isFallback);
    for (const { condition, target_node_id: target } of node.transitions) {
      if (!hasFallback) for (const name of (condition.equations ?? []).flatMap(clauseVariables)) found.add(name);
      const next = own(graph.nodes, target);
      if (next && isSilent(next)) open.push(next);
    }
  }
  return found;
}

/** Whether a transition of a silent node can be taken without the value of a variable. */
function isFallback({ condition }: Transition): boolean {
  if (condition.type !== "equation") return true;
  return (condition.equations ?? []).some(({ operator }) => operator === "not_exist");
}
