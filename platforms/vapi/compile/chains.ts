import type { AgentGraph, AgentNode } from "../../../src/graph/mod.ts";
import { omit, sameJson } from "../../../src/values/mod.ts";
import { extrasOfNode } from "./extras.ts";
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
      if (isMergeable(node) && isMergeable(target) && hasSameSettings(graph, node, target)) next.set(id, target.id);
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

/** Whether a node can share a member. A tool's outcome must be that of the node's own call, so it has no way by one. */
function isMergeable(node: AgentNode): boolean {
  if (node.transitions.some(({ condition }) => condition.type === "tool_call")) return false;
  return node.node_type === "conversation" && node.instruction_type !== "static_text" && !node.global_node_setting;
}

/** Whether one assistant can be what two nodes ask of the platform; one that opens with words of its own cannot. */
export function hasSameSettings(graph: AgentGraph, node: AgentNode, target: AgentNode): boolean {
  const [own, wanted] = [extrasOfNode(graph, node), extrasOfNode(graph, target)];
  return !Object.hasOwn(wanted, "firstMessage") && sameJson(omit(own, OPENING_KEYS), omit(wanted, OPENING_KEYS));
}

const OPENING_KEYS = ["firstMessage", "firstMessageMode"];
