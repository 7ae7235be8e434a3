import { own } from "../../base/values/mod.ts";
import type { AgentGraph } from "../../document/graph/mod.ts";
import type { PictureGroup } from "../pictures/mod.ts";

/** Approximate number of nodes in a frame; larger ones are taller than a screen. */
const NODES_OF_FRAME = 20;

/**
 * Cuts a large group of nodes into branches: each has a node and the nodes reached through it. A part with many entries
 * cannot be decomposed, and would fill the picture.
 */
export function branchesOf(group: PictureGroup, graph: AgentGraph): readonly PictureGroup[] {
  if (group.nodes.length <= 2 * NODES_OF_FRAME) return [group];
  const inside = new Set(group.nodes);
  const parents = new Map<string, string | undefined>();
  const order: string[] = [];
  for (const start of [group.name, ...group.nodes]) {
    if (!inside.has(start) || parents.has(start)) continue;
    parents.set(start, undefined);
    const waiting = [start];
    for (const id of waiting) {
      order.push(id);
      for (const { target_node_id: to } of own(graph.nodes, id)?.transitions ?? []) {
        if (!inside.has(to) || parents.has(to)) continue;
        parents.set(to, id);
        waiting.push(to);
      }
    }
  }
  const open = new Map(order.map((id): [string, string[]] => [id, [id]]));
  const branches: PictureGroup[] = [];
  for (const id of order.toReversed()) {
    const nodes = open.get(id) ?? [];
    const parent = parents.get(id);
    if (nodes.length < NODES_OF_FRAME && parent !== undefined) open.get(parent)?.push(...nodes);
    else branches.push({ name: id, nodes });
  }
  return branches.toReversed();
}
