import { type AgentGraph, type AgentNode, parseGraph } from "../../../../src/document/graph/mod.ts";
import { seeded } from "../../../platforms/mutate.ts";
import type { ComparedCall } from "../../../platforms/vapi/compile/squads/compared_call.ts";
import { comparedCall } from "../../../platforms/vapi/compile/squads/random_graph.ts";

/** Nodes that all clusters have in common. */
const COMMON = ["bye", "desk", "manager"];

/**
 * A random call on a graph of several clusters, each of them a random graph: transitions between clusters lead to
 * their first nodes. Snippets, variables, tools, silent nodes and a global node with a go-back are in it.
 */
export function clusteredCall(seed: number, clusters: number): ComparedCall {
  const random = seeded(seed);
  const call = comparedCall(seed);
  const all = Array.from({ length: clusters }, (_, index) => comparedCall(seed * 1000 + index).graph);
  const entryOf = (index: number) => (index === 0 ? "greet" : `greet_${index}`);
  const nodes: { [id: string]: AgentNode } = {};
  for (const [index, graph] of all.entries()) {
    const nameOf = (id: string) => (COMMON.includes(id) || index === 0 ? id : `${id}_${index}`);
    for (const node of Object.values(graph.nodes)) {
      if (nodes[nameOf(node.id)]) continue;
      const transitions = node.transitions.map((edge) => {
        const isElsewhere = random() < 0.25;
        const target = isElsewhere ? entryOf(Math.floor(random() * clusters)) : nameOf(edge.target_node_id);
        // the first cluster may not contain a common global node
        return { ...edge, target_node_id: target };
      });
      const prompt = node.state_prompt.replace(`At ${node.id},`, `At ${nameOf(node.id)}, {%kind%}`);
      nodes[nameOf(node.id)] = { ...node, id: nameOf(node.id), state_prompt: prompt, transitions };
    }
  }
  const graph: AgentGraph = parseGraph({ ...all[0], nodes, snippets: { kind: "kindly", unused: "x" } });
  // mocks with a limited number of uses would start again with each part
  const mocks = (call.mocks ?? []).filter((mock) => !("times" in mock));
  return { ...call, graph, mocks };
}
