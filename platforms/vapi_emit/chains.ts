import type { AgentGraph, AgentNode } from "../../src/graph/mod.ts";
import { equationGuard, hasClause } from "./guard.ts";
import { nodeOf } from "./names.ts";

/** Chains of talking nodes of which each only ever follows the one before: by the first, the others in order. */
export function mergeChains(graph: AgentGraph, promoted: ReadonlySet<string>): Map<string, readonly string[]> {
  const sources = new Map<string, Set<string>>();
  for (const [id, node] of Object.entries(graph.nodes))
    for (const { target_node_id: target } of node.transitions) {
      const from = sources.get(target) ?? new Set();
      sources.set(target, from.add(id));
    }
  const next = new Map<string, string>();
  for (const [id, node] of Object.entries(graph.nodes)) {
    const [only, ...others] = node.transitions;
    const target = only && nodeOf(graph, only.target_node_id);
    if (!only || others.length > 0 || !target || target.id === id || promoted.has(target.id)) continue;
    if (sources.get(target.id)?.size !== 1 || hasClause(equationGuard(only.condition))) continue;
    if (only.condition.type === "llm_prompt" || only.condition.type === "always")
      if (isMergeable(node) && isMergeable(target)) next.set(id, target.id);
  }
  const followers = new Set(next.values());
  const chains = new Map<string, readonly string[]>();
  for (const id of next.keys()) {
    if (followers.has(id)) continue;
    const rest: string[] = [];
    for (let at = next.get(id); at !== undefined; at = next.get(at)) rest.push(at);
    chains.set(id, rest);
  }
  return chains;
}

/** A node that asks nothing of the platform that another prompt could not ask in its place. */
function isMergeable(node: AgentNode): boolean {
  const talks = node.node_type === "conversation" && node.instruction_type !== "static_text";
  return talks && !Object.hasOwn(node.metadata, "vapi") && !node.global_node_setting;
}
