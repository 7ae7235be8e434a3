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
