import { madeOnce, own } from "../../../src/base/values/mod.ts";
import type { AgentGraph } from "../../../src/document/graph/mod.ts";

const COLUMN = 600;
const ROW = 400;

/**
 * Lays out all nodes: a column per step from the entry, from left to right. Nodes without an incoming transition, such
 * as global nodes, are in the last row.
 */
export function layOutNodes(graph: AgentGraph) {
  const places = madeOnce(() => place(graph));
  return (id: string) => places().get(id) ?? { x: 0, y: 0 };
}

function place(graph: AgentGraph) {
  const columns = new Map<string, number>([[graph.entry_node_id, 0]]);
  for (const [id, column] of columns)
    for (const { target_node_id: target } of own(graph.nodes, id)?.transitions ?? [])
      if (!columns.has(target)) columns.set(target, column + 1);
  const heights = new Map<number, number>();
  const places = new Map<string, { readonly x: number; readonly y: number }>();
  for (const [id, column] of columns) {
    const row = heights.get(column) ?? 0;
    heights.set(column, row + 1);
    places.set(id, { x: column * COLUMN, y: row * ROW });
  }
  const below = Math.max(0, ...heights.values()) * ROW;
  let last = 0;
  for (const id of Object.keys(graph.nodes)) if (!places.has(id)) places.set(id, { x: last++ * COLUMN, y: below });
  return places;
}
