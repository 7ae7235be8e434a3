import { own } from "../../../base/values/mod.ts";
import { type AgentGraph, type AgentNode, isTerminal } from "../../../document/graph/mod.ts";

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

/** The dominator tree of a graph whose nodes are numbers. */
export interface DominatorTree {
  /** By node, its closest dominator: the root for the root itself, -1 for unreachable nodes. */
  readonly parentOf: Int32Array;
  /** Reachable nodes in reverse postorder: a node's dominators come before it. */
  readonly order: readonly number[];
}

/**
 * Finds the dominators of all nodes that a root leads to: the iterative algorithm of Cooper, Harvey and Kennedy ("A
 * Simple, Fast Dominance Algorithm", 2001).
 */
export function dominatorsOf(root: number, targetsOf: readonly (readonly number[])[]): DominatorTree {
  const order = reversePostorder(root, targetsOf);
  const position = new Int32Array(targetsOf.length).fill(-1);
  for (const [index, node] of order.entries()) position[node] = index;
  const sources: number[][] = targetsOf.map(() => []);
  for (const node of order) for (const target of targetsOf[node] ?? []) sources[target]?.push(node);
  const parentOf = new Int32Array(targetsOf.length).fill(-1);
  parentOf[root] = root;
  const at = (list: Int32Array, index: number) => list[index] ?? -1;
  const common = (one: number, other: number): number => {
    let [a, b] = [one, other];
    while (a !== b) {
      while (at(position, a) > at(position, b)) a = at(parentOf, a);
      while (at(position, b) > at(position, a)) b = at(parentOf, b);
    }
    return a;
  };
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (const node of order) {
      if (node === root) continue;
      const known = (sources[node] ?? []).filter((source) => at(parentOf, source) >= 0);
      const parent = known.reduce((found, source) => (found < 0 ? source : common(found, source)), -1);
      if (parent < 0 || at(parentOf, node) === parent) continue;
      parentOf[node] = parent;
      isChanged = true;
    }
  }
  return { parentOf, order };
}

/** Without recursion: a graph may be a chain of 10,000 nodes. */
function reversePostorder(root: number, targetsOf: readonly (readonly number[])[]): readonly number[] {
  const seen = new Uint8Array(targetsOf.length);
  const done: number[] = [];
  const open = [{ node: root, next: 0 }];
  seen[root] = 1;
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const target = targetsOf[top.node]?.[top.next++];
    if (target === undefined) {
      done.push(top.node);
      open.pop();
    } else if (!seen[target]) {
      seen[target] = 1;
      open.push({ node: target, next: 0 });
    }
  }
  return done.reverse();
}
