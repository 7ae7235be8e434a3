import type { NumberedGraph } from "./shared_nodes.ts";

/** Minimum number of nodes in a part; the main part may be smaller. */
const LEAST = 3;
/** Nodes per part when the number of parts is not given. */
const USUAL = 20;

/** Search budget: nodes to look at, per node of the graph. When it runs out, the best cut so far is used. */
const EFFORT = 200;

/**
 * Chooses the nodes at which the parts of a graph are entered. A part is a piece of the dominator tree, so every path
 * into it passes its top node. A node that another part leads to is the top of a part.
 *
 * @param wanted Maximum number of parts, besides those that global nodes require. Absent: parts of about 20 nodes,
 * with few transitions between them.
 * @returns The entry of each node's part, by the node's number; 0 for nodes that several parts have copies of, and for
 *   unreachable ones.
 */
export function cutParts(graph: NumberedGraph, wanted?: number): Int32Array {
  const tree = treeOf(graph);
  const cuts = chooseCuts(graph, tree, wanted);
  const owners = new Int32Array(graph.ids.length);
  for (const node of tree.order) owners[node] = cuts.has(node) ? node : (owners[tree.parentOf[node] ?? 0] ?? 0);
  // a piece of one or two nodes that several parts lead to is copied too: its transitions lead to the tops of parts
  const [entry] = graph.targetsOf[0] ?? [];
  const small = new Set([...cuts].filter((top) => top !== entry && pieceOf(tree, cuts, top, LEAST).length < LEAST));
  return owners.map((owner) => (small.has(owner) ? 0 : owner));
}

function chooseCuts(graph: NumberedGraph, tree: Tree, wanted: number | undefined): ReadonlySet<number> {
  const cuts = new Set(tree.childrenOf[0]);
  closeCuts(graph, tree, cuts, [...cuts]);
  const [entry] = graph.targetsOf[0] ?? [];
  const isSmall = (top: number, of: ReadonlySet<number>) => pieceOf(tree, of, top, LEAST).length < LEAST;
  const most = wanted ?? Math.round(tree.members / USUAL);
  const size = tree.members / Math.max(1, most);
  const isLoose = (node: number) =>
    wanted !== undefined || (tree.exits[node] ?? 0) <= Math.max(2, (tree.sizes[node] ?? 0) / 3);
  const effort = { left: EFFORT * tree.members };
  let parts = [...cuts].filter((top) => !isSmall(top, cuts)).length;
  for (const [low, high] of [
    [Math.max(LEAST, size * 0.5), size * 2],
    [LEAST, size * 4],
  ] as const)
    for (const top of candidates(tree, size)) {
      if (parts >= most || effort.left < 0) return cuts;
      if (cuts.has(top) || !isLoose(top)) continue;
      const count = pieceOf(tree, cuts, top, high + 1).length;
      effort.left -= count;
      if (count < low || count > high) continue;
      const tried = new Set(cuts).add(top);
      effort.left -= tried.size;
      const added = closeCuts(graph, tree, tried, [top], { most: tried.size + count, effort });
      // small pieces are copied, not parts; more of them than the part has nodes would be no gain
      const large = added.filter((each) => !isSmall(each, tried));
      const isMany = added.length - large.length > count / 2 || parts + 1 + large.length > most;
      const rest = entryAbove(tree, cuts, top);
      if (isMany || isSmall(top, tried) || (rest !== entry && isSmall(rest, tried))) continue;
      for (const each of [top, ...added]) cuts.add(each);
      parts += 1 + large.length;
    }
  return cuts;
}

/** The dominator tree without shared nodes. */
interface Tree {
  readonly parentOf: Int32Array;
  readonly childrenOf: readonly (readonly number[])[];
  readonly order: readonly number[];
  /** Nodes below each node, itself included. */
  readonly sizes: Int32Array;
  /** Transitions that lead from a node or one below it to elsewhere. */
  readonly exits: Int32Array;
  readonly members: number;
}

function treeOf({ parentOf: above, order: all, targetsOf, isShared }: NumberedGraph): Tree {
  const order = all.filter((node) => node !== 0 && !isShared[node]);
  const childrenOf: number[][] = targetsOf.map(() => []);
  const [sizes, exits] = [new Int32Array(targetsOf.length), new Int32Array(targetsOf.length)];
  const parentOf = above.map((each) => (isShared[each] ? 0 : each));
  const parent = (node: number) => parentOf[node] ?? 0;
  const add = (list: Int32Array, at: number, value: number) => {
    list[at] = (list[at] ?? 0) + value;
  };
  for (const node of order) childrenOf[parent(node)]?.push(node);
  for (const node of order.toReversed()) {
    add(sizes, node, 1);
    add(sizes, parent(node), sizes[node] ?? 0);
  }
  const first = preorder(childrenOf);
  const dominates = (one: number, other: number) => {
    const [start, at] = [first[one] ?? 0, first[other] ?? 0];
    return at >= start && at < start + (sizes[one] ?? 0);
  };
  for (const node of order)
    for (const target of targetsOf[node] ?? []) {
      if (isShared[target]) continue;
      // the transition leaves every piece from its node up to the one that has both ends
      add(exits, node, 1);
      add(exits, dominates(target, node) ? target : parent(target), -1);
    }
  for (const node of order.toReversed()) add(exits, parent(node), exits[node] ?? 0);
  return { parentOf, childrenOf, order, sizes, exits, members: order.length };
}

/** The place of each node when a tree is listed from the top, each node followed by all below it. */
function preorder(childrenOf: readonly (readonly number[])[]): Int32Array {
  const places = new Int32Array(childrenOf.length);
  const open = [0];
  let count = 0;
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    places[node] = count++;
    open.push(...(childrenOf[node] ?? []));
  }
  return places;
}

/** Few crossing transitions first, then sizes near the wanted one. */
function candidates({ order, sizes, exits }: Tree, wanted: number): readonly number[] {
  const distance = (node: number) => Math.abs(Math.log((sizes[node] ?? 1) / wanted));
  const rank = (node: number) => (exits[node] ?? 0) + 2 * distance(node);
  return order.filter((node) => (sizes[node] ?? 0) >= LEAST).toSorted((a, b) => rank(a) - rank(b) || a - b);
}

/** The nodes of the part that begins at a node, up to a limit. */
function pieceOf({ childrenOf }: Tree, cuts: ReadonlySet<number>, top: number, most = Number.POSITIVE_INFINITY) {
  const piece: number[] = [];
  const open = [top];
  for (let node = open.pop(); node !== undefined && piece.length < most; node = open.pop()) {
    piece.push(node);
    for (const child of childrenOf[node] ?? []) if (!cuts.has(child)) open.push(child);
  }
  return piece;
}

/**
 * Makes every node that another part leads to the top of a part.
 *
 * @param limits Stops when there are too many parts, and counts the nodes it looks at.
 * @returns The nodes that were added.
 */
function closeCuts(
  graph: NumberedGraph,
  tree: Tree,
  cuts: Set<number>,
  tops: readonly number[],
  limits?: { readonly most: number; readonly effort: { left: number } },
): readonly number[] {
  const added: number[] = [];
  const open = [...tops];
  for (let top = open.pop(); top !== undefined; top = open.pop()) {
    const piece = new Set(pieceOf(tree, cuts, top));
    if (limits) limits.effort.left -= piece.size;
    for (const node of piece)
      for (const target of graph.targetsOf[node] ?? []) {
        if (piece.has(target) || cuts.has(target) || graph.isShared[target]) continue;
        cuts.add(target);
        added.push(target);
        open.push(target);
        if (limits && cuts.size > limits.most) return added;
      }
  }
  return added;
}

function entryAbove({ parentOf }: Tree, cuts: ReadonlySet<number>, node: number): number {
  let at = parentOf[node] ?? 0;
  while (at !== 0 && !cuts.has(at)) at = parentOf[at] ?? 0;
  return at;
}
