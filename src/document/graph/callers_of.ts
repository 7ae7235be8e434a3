import type { AgentNode } from "./types.ts";

/** Returns the ids of the nodes with a transition to each node. */
export function callersOf(nodes: readonly AgentNode[]): ReadonlyMap<string, ReadonlySet<string>> {
  const callers = new Map<string, Set<string>>();
  for (const { id, transitions } of nodes)
    for (const { target_node_id: to } of transitions) callers.set(to, (callers.get(to) ?? new Set()).add(id));
  return callers;
}
