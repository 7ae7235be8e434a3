import type { AgentGraph } from "../../../src/graph/mod.ts";
import { own } from "../../../src/values/mod.ts";

/** Where a node's box stands on the canvas. */
export interface Position {
  readonly x: number;
  readonly y: number;
}

const COLUMN = 600;
const ROW = 400;

/**
 * Places for all nodes: a column per step from the entry, from left to right, nodes of a column one below the other.
 * What is reached from nowhere (global nodes) stands in a last row of its own.
 */
export function layout(graph: AgentGraph): ReadonlyMap<string, Position> {
  const columns = new Map<string, number>([[graph.entry_node_id, 0]]);
  for (const [id, column] of columns)
    for (const { target_node_id: target } of own(graph.nodes, id)?.transitions ?? [])
      if (!columns.has(target)) columns.set(target, column + 1);
  const heights = new Map<number, number>();
  const places = new Map<string, Position>();
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
