import { bareName } from "../../src/expressions/mod.ts";
import { type AgentGraph, type AgentNode, isSilent, type Transition } from "../../src/graph/mod.ts";
import { own } from "../../src/values/mod.ts";

/**
 * The variables without which a call could not go on behind extract nodes: an equation of a silent node compares them,
 * and there is no way for what the caller has not said. All others may be left out; an invented value is worse than none.
 */
export function neededVariables(group: readonly AgentNode[], graph: AgentGraph): ReadonlySet<string> {
  const found = new Set<string>();
  const seen = new Set<string>();
  const open = group.filter(({ node_type }) => node_type === "extract");
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (seen.has(node.id)) continue;
    seen.add(node.id);
    const hasFallback = node.transitions.some(isFallback);
    for (const { condition, target_node_id: target } of node.transitions) {
      if (!hasFallback) for (const { left } of condition.equations ?? []) found.add(bareName(left));
      const next = own(graph.nodes, target);
      if (next && isSilent(next)) open.push(next);
    }
  }
  return found;
}

/** Whether a transition of a silent node can be taken whatever its variables are. */
function isFallback({ condition }: Transition): boolean {
  if (condition.type !== "equation") return true;
  return (condition.equations ?? []).some(({ operator }) => operator === "not_exist");
}
