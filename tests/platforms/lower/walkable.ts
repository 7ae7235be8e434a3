import type { LoweredGraph, LoweredNode } from "../../../platforms/lower/mod.ts";
import type { JsonObject } from "../../../src/base/values/mod.ts";
import { type AgentGraph, parseGraph } from "../../../src/document/graph/mod.ts";
import { always, json } from "../vapi/compile/graphs.ts";

/**
 * Converts `sets` and `back` to nodes that the engine can run: an extract node for each transition that sets a
 * variable, a logic node for each way back.
 */
export function walkable(graph: LoweredGraph): AgentGraph {
  const added: { [id: string]: JsonObject } = {};
  const nodes = Object.values(graph.nodes).map((node: LoweredNode) => {
    const transitions = node.transitions.flatMap((transition, index) => {
      const { target_node_id: target, back, sets, condition } = transition;
      const helper = `${index} ${node.id}`;
      if (sets) {
        const [[name, value] = ["", ""]] = Object.entries(sets);
        const variables = [{ name, description: value, type: "string" }];
        added[helper] = { node_type: "extract", variables_to_extract: variables, transitions: [always(target)] };
        return [{ ...transition, target_node_id: helper }];
      }
      if (!back) return [transition];
      const isHere = { left: back.variable, operator: "==", right: back.origin };
      const clauses = condition.type === "equation" ? [...(condition.equations ?? []), isHere] : [];
      if (condition.type === "equation") return [{ ...transition, condition: { ...condition, equations: clauses } }];
      added[helper] = {
        node_type: "logic",
        transitions: [{ target_node_id: target, condition: { type: "equation", value: "", equations: [isHere] } }],
      };
      return [{ ...transition, target_node_id: helper }];
    });
    return [node.id, { ...node, transitions }];
  });
  return parseGraph(json({ ...graph, nodes: { ...Object.fromEntries(nodes), ...added } }));
}
