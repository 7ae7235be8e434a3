import { own } from "../../../base/values/mod.ts";
import { type AgentGraph, type AgentNode, isTerminal } from "../../../document/graph/mod.ts";
import { dominatorsOf } from "./dominators.ts";

/** A graph by numbers: 0 is a root that leads to the entry and to all global nodes. */
export interface NumberedGraph {
  readonly ids: readonly string[];
  readonly numberOf: ReadonlyMap<string, number>;
  readonly targetsOf: readonly (readonly number[])[];
  /** Parents in the dominator tree; -1 for nodes that no call can reach. */
  readonly parentOf: Int32Array;
  readonly order: readonly number[];
  /** Nodes that each part has a copy of: global ones with the few nodes that only they lead to, and ends. */
  readonly isShared: readonly boolean[];
}

/** Maximum number of copied nodes of a global node, itself included. If only it leads to more, they become parts. */
const MOST_COPIED = 6;

/** Finds which nodes all paths pass, and which nodes each part needs a copy of. */
export function numbered(graph: AgentGraph): NumberedGraph {
  const ids = ["", ...Object.keys(graph.nodes)];
  const numberOf = new Map(ids.slice(1).map((id, index) => [id, index + 1]));
  const nodes = ids.map((id, index) => (index === 0 ? undefined : own(graph.nodes, id)));
  const isGlobal = (node: AgentNode | undefined) =>
    Boolean(node?.global_node_setting) && node?.id !== graph.entry_node_id;
  const entry = numberOf.get(graph.entry_node_id) ?? 0;
  const globals = [...nodes.entries()].flatMap(([index, node]) => (isGlobal(node) ? [index] : []));
  const targetsOf = nodes.map((node, index) =>
    index === 0
      ? [...new Set([entry, ...globals])]
      : [...new Set(node?.transitions.flatMap(({ target_node_id: id }) => numberOf.get(id) ?? []))],
  );
  const { parentOf, order } = dominatorsOf(0, targetsOf);
  const below = new Int32Array(ids.length).fill(1);
  for (const index of order.toReversed()) {
    const parent = parentOf[index] ?? 0;
    if (parent !== index) below[parent] = (below[parent] ?? 0) + (below[index] ?? 0);
  }
  /** The global node that a node is copied with. */
  const copiedWith = new Int32Array(ids.length);
  const isShared = ids.map(() => false);
  for (const index of order) {
    const node = nodes[index];
    if (!node || index === entry) continue;
    const above = copiedWith[parentOf[index] ?? 0] ?? 0;
    copiedWith[index] = isGlobal(node) ? index : (below[above] ?? 0) <= MOST_COPIED ? above : 0;
    const isEnd = isTerminal(node) && (targetsOf[index] ?? []).length === 0;
    isShared[index] = isEnd || copiedWith[index] !== 0;
  }
  return { ids, numberOf, targetsOf, parentOf, order, isShared };
}
