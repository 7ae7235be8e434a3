import { diffGraphs, type GraphChange } from "../../../../../src/agent/analysis/diff/mod.ts";
import { graphOf } from "../../_graphs.ts";

/** The changes between two versions of a node "a" that can lead to "b" and "c". */
export function nodeChangesOf(before: object, after: object): readonly GraphChange[] {
  const graph = (node: object) => graphOf({ a: node, b: { node_type: "end" }, c: { node_type: "end" } });
  return diffGraphs(graph(before), graph(after));
}

/** Kind and sentence of each change. */
export function told(changes: readonly GraphChange[]): readonly (readonly [string, string])[] {
  return changes.map(({ kind, message }) => [kind, message]);
}
