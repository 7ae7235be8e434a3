import { shorten } from "../../../base/values/mod.ts";
import { type AgentGraph, nodeNames } from "../../../document/graph/mod.ts";
import type { PageNode } from "../../web/mod.ts";

/** Maximum length of a prompt's excerpt, in characters. */
const LONGEST_PROMPT = 1_200;

/** Numbers for node ids, so that each id is in the page once. */
export interface NodeIndexes {
  readonly nodes: readonly PageNode[];
  /** The number of a node by its id or name; nodes that are not in the graph get the next free number. */
  readonly indexOf: (id: string) => number;
}

/** Numbers the nodes of a graph in their order. Without a graph, nodes get numbers as they come. */
export function numberNodes(graph: AgentGraph | undefined): NodeIndexes {
  const nodes: PageNode[] = [];
  const indexes = new Map<string, number>();
  const add = (node: PageNode) => {
    const index = nodes.push(node) - 1;
    indexes.set(node.id, index);
    return index;
  };
  const names = graph && nodeNames(graph);
  for (const [id, node] of Object.entries(graph?.nodes ?? {})) {
    const name = names?.of(id) ?? id;
    const prompt = (node.state_prompt ?? "").trim();
    const index = add({
      id,
      ...(name === id ? {} : { name }),
      type: id === graph?.entry_node_id ? `${node.node_type}, entry` : node.node_type,
      ...(prompt === "" ? {} : { prompt: shorten(prompt, LONGEST_PROMPT) }),
      ...(node.global_node_setting ? { isGlobal: true } : {}),
    });
    indexes.set(name, index);
  }
  return { nodes, indexOf: (id) => indexes.get(id) ?? add({ id }) };
}
