import { isRecord } from "../../../base/values/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";
import { PLATFORM_DATA, PLATFORM_NAMES } from "../../../document/platforms/mod.ts";
import { mapSettings, replaceNodes } from "./map_graph.ts";

/** Keys of settings whose value is a node's id, at the platforms and in exports of other tools. */
const NODE_KEYS: ReadonlySet<string> = new Set([
  ...PLATFORM_NAMES.flatMap((name) => PLATFORM_DATA[name].keys.nodeIds),
  ...["next_node_id", "starting_node_id"],
]);

/** The graph with another id of a node: in transitions, the entry, and settings of platforms that name it. */
export function renameNode(graph: AgentGraph, from: string, to: string): AgentGraph {
  const nameOf = (id: string) => (id === from ? to : id);
  const follow = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(follow);
    if (!isRecord(value)) return value;
    const entries = Object.entries(value).map(([key, inner]) => {
      return [key, inner === from && NODE_KEYS.has(key) ? to : follow(inner)] as const;
    });
    return Object.fromEntries(entries);
  };
  const changed = replaceNodes(mapSettings(graph, follow), (node) => {
    const transitions = node.transitions.map((edge) => ({ ...edge, target_node_id: nameOf(edge.target_node_id) }));
    return [{ ...node, id: nameOf(node.id), transitions }];
  });
  return { ...changed, entry_node_id: nameOf(graph.entry_node_id) };
}
