import { own } from "../../../base/values/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";

/** Where a call left the path to a node. */
export interface LeftPath {
  /** The node at which it could have continued towards the target. */
  readonly node: string;
  /** Index of the transition that it did not take; -1: the entry condition of a global node, or there is no path. */
  readonly transition: number;
  /** The next node of that path; the target if there is no path. */
  readonly target: string;
  /** Where it went instead; `undefined` if it stayed. */
  readonly took: string | undefined;
  /** Whether the graph has a path. */
  readonly hasWay: boolean;
}

/**
 * Finds where a call left the shortest path to a node.
 *
 * @param visited Nodes in the order of entry.
 */
export function leftPath(graph: AgentGraph, visited: readonly string[], wanted: string): LeftPath | undefined {
  const distances = distancesTo(graph, wanted);
  const known = visited.filter((id) => own(graph.nodes, id));
  const last = known.at(-1);
  if (last === undefined) return undefined;
  const steps = known.map((id) => distances.get(id) ?? Number.POSITIVE_INFINITY);
  // the last of the closest visits: the call came back from earlier detours
  const closer = steps.lastIndexOf(Math.min(...steps));
  if (!Number.isFinite(steps[closer])) {
    return { node: last, transition: -1, target: wanted, took: undefined, hasWay: false };
  }
  const node = known[closer] ?? last;
  const took = known[closer + 1];
  const next = (id: string) => (distances.get(id) ?? Number.POSITIVE_INFINITY) === (steps[closer] ?? 0) - 1;
  const transitions = own(graph.nodes, node)?.transitions ?? [];
  const transition = transitions.findIndex(({ target_node_id: id }) => next(id));
  const target = transitions[transition]?.target_node_id ?? wanted;
  return { node, transition, target, took, hasWay: true };
}

/** Number of moves from each node to a target. Nodes without a path are missing. */
function distancesTo({ nodes }: AgentGraph, wanted: string): ReadonlyMap<string, number> {
  const before = new Map<string, string[]>();
  const add = (from: string, to: string) => before.set(to, [...(before.get(to) ?? []), from]);
  for (const [id, { transitions }] of Object.entries(nodes))
    for (const { target_node_id: target } of transitions) add(id, target);
  const conversations = Object.values(nodes).filter(({ node_type: type }) => type === "conversation");
  for (const [id, node] of Object.entries(nodes))
    if (node.global_node_setting) for (const each of conversations) if (each.id !== id) add(each.id, id);
  const distances = new Map([[wanted, 0]]);
  const open = [wanted];
  for (const id of open) {
    for (const from of before.get(id) ?? []) {
      if (distances.has(from)) continue;
      distances.set(from, (distances.get(id) ?? 0) + 1);
      open.push(from);
    }
  }
  return distances;
}
