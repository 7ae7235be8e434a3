import { own } from "../../src/base/values/mod.ts";
import type { AgentNode } from "../../src/document/graph/mod.ts";
import type { LoweredGraph, LoweredNode, Pass } from "./pass.ts";
import { transitionPath } from "./route.ts";

/**
 * Merges chains of conversation nodes into one node with a prompt of numbered steps. In a chain, each node has one
 * successor and one predecessor. Nodes with static text, global nodes and nodes that route by a tool's outcome are not
 * merged.
 *
 * @param canJoin Whether the platform allows two nodes to be merged: for example, only nodes with the same voice.
 */
export const contractChains = (canJoin: (node: AgentNode, next: AgentNode) => boolean): Pass => ({
  name: "contract-chains",
  run: (graph) => {
    const merged = chainsOf(graph, canJoin);
    const inner = new Set([...merged.values()].flat());
    const nodes = Object.values(graph.nodes).flatMap((node) => {
      const rest = (merged.get(node.id) ?? []).flatMap((id) => own(graph.nodes, id) ?? []);
      return inner.has(node.id) ? [] : [[node.id, rest.length > 0 ? joined([node, ...rest]) : node] as const];
    });
    return { graph: { ...graph, nodes: Object.fromEntries(nodes) }, merged };
  },
});

/** Merges the nodes of a chain. */
function joined(steps: readonly LoweredNode[]): LoweredNode {
  const [first, last] = [steps[0], steps.at(-1)];
  if (!first || !last) throw new TypeError("a chain has nodes");
  const texts = steps.map(({ state_prompt: text, transitions: [next] }, index) => {
    const done =
      next?.condition.type === "llm_prompt" ? `until this holds: ${next.condition.value}` : "once it is said";
    const more = index < steps.length - 1 ? `\nStay with this step ${done}; then take the next one.` : "";
    return `## Step ${index + 1}\n${text}${more}`;
  });
  return {
    ...first,
    state_prompt: texts.join("\n\n"),
    tools: steps.flatMap(({ tools }) => tools),
    variables_to_extract: steps.flatMap(({ variables_to_extract: variables }) => variables),
    transitions: last.transitions.map((each, index) => ({ ...each, madeFrom: transitionPath(last, index) })),
  };
}

/** Returns the other nodes of each chain in order, by the id of its first node. */
function chainsOf(
  graph: LoweredGraph,
  canJoin: (node: AgentNode, next: AgentNode) => boolean,
): ReadonlyMap<string, readonly string[]> {
  const sources = new Map<string, Set<string>>();
  for (const { id, transitions } of Object.values(graph.nodes))
    for (const { target_node_id: target } of transitions)
      sources.set(target, (sources.get(target) ?? new Set()).add(id));
  const next = new Map<string, string>();
  for (const node of Object.values(graph.nodes)) {
    const [only, ...others] = node.transitions;
    const target = only && own(graph.nodes, only.target_node_id);
    if (!only || others.length > 0 || !target || target.id === graph.entry_node_id) continue;
    if (sources.get(target.id)?.size !== 1) continue;
    if (only.condition.type !== "llm_prompt" && only.condition.type !== "always") continue;
    if (isMergeable(node) && isMergeable(target) && canJoin(node, target)) next.set(node.id, target.id);
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

/** Whether a node can be a step. A node that routes by a tool's outcome cannot, because the outcome belongs to it. */
function isMergeable(node: AgentNode): boolean {
  if (node.transitions.some(({ condition }) => condition.type === "tool_call")) return false;
  return node.node_type === "conversation" && node.instruction_type !== "static_text" && !node.global_node_setting;
}
