import { own } from "../../../base/values/mod.ts";
import {
  type AgentGraph,
  type AgentNode,
  canFuse,
  isOverAtOnce,
  isSilent,
  isStatic,
  toGraph,
  waysAfterHearing,
  waysAfterWork,
  workQuestion,
} from "../../../document/graph/mod.ts";
import { globalIds, goesOn, stepsInTurn } from "./steps.ts";

/**
 * The groups of nodes that can reach each other and themselves (strongly connected components), each in the order of
 * the map. Linear in nodes and edges, and without recursion: a graph may be one chain of 10,000 nodes.
 */
export function cyclesOf(edges: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const place = new Map([...edges.keys()].map((id, index) => [id, index]));
  return componentsOf(edges)
    .filter((members) => members.length > 1 || edges.get(members[0] ?? "")?.includes(members[0] ?? ""))
    .map((members) => [...members].sort((a, b) => (place.get(a) ?? 0) - (place.get(b) ?? 0)));
}

/** All strongly connected components, each before those that it leads to. */
export function componentsOf(edges: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const order = finishOrder(edges);
  const reversed = new Map<string, string[]>([...edges.keys()].map((id) => [id, []]));
  for (const [from, targets] of edges) for (const target of targets) reversed.get(target)?.push(from);
  const group = new Map<string, number>();
  const groups: string[][] = [];
  for (const root of order.reverse()) {
    if (group.has(root)) continue;
    const members: string[] = [];
    const open = [root];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (group.has(id)) continue;
      group.set(id, groups.length);
      members.push(id);
      open.push(...(reversed.get(id) ?? []));
    }
    groups.push(members);
  }
  return groups;
}

/** Nodes in the order in which a depth-first walk leaves them (postorder). */
function finishOrder(edges: ReadonlyMap<string, readonly string[]>): string[] {
  const seen = new Set<string>();
  const order: string[] = [];
  for (const root of edges.keys()) {
    const stack = [{ id: root, next: 0 }];
    if (seen.has(root)) continue;
    seen.add(root);
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const target = edges.get(top.id)?.[top.next++];
      if (target === undefined) {
        order.push(top.id);
        stack.pop();
      } else if (!seen.has(target)) {
        seen.add(target);
        stack.push({ id: target, next: 0 });
      }
    }
  }
  return order;
}

/** The worst case of a turn that starts at a node, over all decisions of the model and all values of variables. */
export interface TurnBound {
  /** Transitions; `Infinity` where silent nodes lead back to each other. A call ends after 20. */
  readonly hops: number;
  /** The nodes of the longest path. */
  readonly path: readonly string[];
  /** Model calls by turn mode. Repeated calls of tools by a reply are not counted. */
  readonly modelCalls: { readonly split: number; readonly speculative: number; readonly fused: number };
}

interface Walk {
  readonly hops: number;
  readonly calls: number;
  readonly next: string | undefined;
}

/**
 * The worst case of a turn in which the caller is heard at each node: how many transitions it can take, and how many
 * model calls in each turn mode. Linear in nodes and edges; nodes in a silent cycle have no bound.
 *
 * @throws {GraphError} `not-a-graph`.
 */
export function turnBounds(source: AgentGraph): ReadonlyMap<string, TurnBound> {
  const graph = toGraph(source, "Cannot find the worst case of a turn");
  const walks = longestWalks(graph);
  const globals = globalIds(graph).map((id) => [id, walks.get(id)] as const);
  const sorted = [...globals].sort(([, a], [, b]) => (b?.calls ?? 0) - (a?.calls ?? 0)).slice(0, 2);
  const longest = [...globals].sort(([, a], [, b]) => (b?.hops ?? 0) - (a?.hops ?? 0)).slice(0, 2);
  return new Map(
    Object.entries(graph.nodes).map(([id, node]) => {
      const own = node.transitions.map((transition) => transition.target_node_id);
      const others = node.node_type === "conversation" ? [...sorted, ...longest].map(([each]) => each) : [];
      const targets = [...own, ...others.filter((each) => each !== id)];
      return [id, boundAt(graph, node, targets, globals.length > 0, walks)];
    }),
  );
}

function boundAt(
  graph: AgentGraph,
  node: AgentNode,
  targets: readonly string[],
  hasGlobals: boolean,
  walks: ReadonlyMap<string, Walk>,
): TurnBound {
  const here = walks.get(node.id) ?? { hops: 0, calls: 0, next: undefined };
  if (node.node_type !== "conversation") {
    const { hops, calls } = here;
    return { hops, path: pathOf(node.id, walks), modelCalls: { split: calls, speculative: calls, fused: calls } };
  }
  const moves = targets.flatMap((target) => {
    const walk = walks.get(target);
    return walk ? [[target, walk] as const] : [];
  });
  const [far, walk] = moves.reduce<readonly [string | undefined, Walk]>(
    (best, move) => (1 + move[1].hops > best[1].hops ? [move[0], { ...move[1], hops: 1 + move[1].hops }] : best),
    [undefined, here],
  );
  const asks = hasGlobals || waysAfterHearing(node).offered.length > 0 ? 1 : 0;
  const after = moves.reduce((most, [, { calls }]) => Math.max(most, calls), here.calls);
  const candidates = [node.id, ...targets].flatMap((id) => own(graph.nodes, id) ?? []);
  const isFused = asks === 1 && canFuse(candidates);
  const passesSilent = moves.some(([id]) => {
    const target = own(graph.nodes, id);
    return target !== undefined && isSilent(target);
  });
  return {
    hops: walk.hops,
    path: far === undefined ? [node.id] : [node.id, ...pathOf(far, walks)],
    modelCalls: {
      split: asks + after,
      speculative: asks + after + (asks === 1 && moves.length > 0 ? 1 : 0),
      // one request decides and replies; a silent node on the way needs its own calls and another reply
      fused: isFused ? Math.max(1, asks + after - (passesSilent ? 0 : 1)) : asks + after,
    },
  };
}

/** The longest way from each node to where the turn ends, computed from the ends and without recursion. */
function longestWalks(graph: AgentGraph): ReadonlyMap<string, Walk> {
  const waiting = new Map<string, number>();
  const sources = new Map<string, string[]>();
  for (const [id, node] of Object.entries(graph.nodes)) {
    const steps = stepsInTurn(graph, node).filter((step) => own(graph.nodes, step.target_node_id));
    waiting.set(id, steps.length);
    for (const { target_node_id: target } of steps) {
      const known = sources.get(target);
      if (known) known.push(id);
      else sources.set(target, [id]);
    }
  }
  const walks = new Map<string, Walk>();
  const open = [...waiting].flatMap(([id, count]) => (count === 0 ? [id] : []));
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const node = own(graph.nodes, id);
    if (!node) continue;
    walks.set(id, longest(graph, node, walks));
    for (const source of sources.get(id) ?? []) {
      const left = (waiting.get(source) ?? 0) - 1;
      waiting.set(source, left);
      if (left === 0) open.push(source);
    }
  }
  for (const id of Object.keys(graph.nodes))
    if (!walks.has(id))
      walks.set(id, { hops: Number.POSITIVE_INFINITY, calls: Number.POSITIVE_INFINITY, next: undefined });
  return walks;
}

function longest(graph: AgentGraph, node: AgentNode, walks: ReadonlyMap<string, Walk>): Walk {
  let best: Walk = { hops: 0, calls: 0, next: undefined };
  let calls = 0;
  for (const step of stepsInTurn(graph, node)) {
    const walk = walks.get(step.target_node_id);
    if (!walk) continue;
    const further = goesOn(graph, node, step) ? walk : { hops: 0, calls: 0 };
    calls = Math.max(calls, further.calls);
    if (1 + further.hops > best.hops) best = { hops: 1 + further.hops, calls: 0, next: step.target_node_id };
  }
  return { ...best, calls: calls + callsAt(node) };
}

/** Model calls that a node makes itself when it is entered. */
function callsAt(node: AgentNode): number {
  if (!isSilent(node)) return isStatic(node) || isOverAtOnce(node) ? 0 : 1;
  return (workQuestion(node) ? 1 : 0) + (waysAfterWork(node).offered.length > 0 ? 1 : 0);
}

function pathOf(from: string, walks: ReadonlyMap<string, Walk>): readonly string[] {
  const path = [from];
  for (let id = walks.get(from)?.next; id !== undefined && path.length < 30; id = walks.get(id)?.next) path.push(id);
  return path;
}
