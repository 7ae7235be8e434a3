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
