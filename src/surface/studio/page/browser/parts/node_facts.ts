import { transitionLabel } from "../../../../../agent/pictures/mod.ts";
import { isRecord } from "../../../../../base/values/mod.ts";
import type { AgentGraph, AgentNode } from "../../../../../document/graph/mod.ts";

/** Whether what the server sent is a graph. The server has parsed it: only its outline is looked at. */
export function isGraph(value: unknown): value is AgentGraph {
  return isRecord(value) && isRecord(value.nodes) && typeof value.entry_node_id === "string";
}

/** A way out of a node. */
export interface NodeWay {
  /** Id of the node that it leads to; `undefined` for the way back to where the caller was. */
  readonly to: string | undefined;
  readonly words: string;
}

/** The ways out of a node, in the order in which they are tried. */
export function waysOf(node: AgentNode): readonly NodeWay[] {
  const ways = node.transitions.map((transition) => ({
    to: transition.target_node_id,
    words: transitionLabel(transition, node) || "always",
  }));
  const back = (node.global_node_setting?.go_back_conditions ?? []).map(({ condition }) => ({
    to: undefined,
    words: condition.value,
  }));
  return [...ways, ...back];
}

/** The nodes that lead to a node. */
export function waysTo(graph: AgentGraph, id: string): readonly string[] {
  return Object.entries(graph.nodes)
    .filter(([, node]) => node.transitions.some(({ target_node_id }) => target_node_id === id))
    .map(([from]) => from);
}

/** Whether a node has all of the words: in its name, prompt, ways, tools or variables. */
export function hasWords(node: AgentNode, name: string, words: string): boolean {
  const text = [
    node.id,
    name,
    node.state_prompt,
    ...node.transitions.map(({ condition }) => condition.value),
    ...node.tools.flatMap((tool) => [tool.name, tool.description]),
    ...node.variables_to_extract.flatMap((variable) => [variable.name, variable.description]),
  ]
    .join("\n")
    .toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
