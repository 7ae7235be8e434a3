import { own } from "../../../../base/values/mod.ts";
import { type AgentGraph, isStatic, MOST_HOPS, type TransitionCondition } from "../../../../document/graph/mod.ts";
import type { EndReason } from "../../../../document/transcript/mod.ts";
import type { MoveCause, PathStep } from "../path.ts";
import { BACK, type PathEdge, type PathPosition, type Read } from "../place.ts";
import type { VariableSources } from "../variables.ts";

/** The parts of a call's state that decide on edges, besides its place. */
export interface Situation {
  /** Whether the global node was entered from another node. */
  readonly canGoBack: boolean;
  /** Whether a condition is true; `undefined` when it depends on values that are not followed. */
  readonly truth: (condition: TransitionCondition) => boolean | undefined;
}

/** A pending move, with the steps that led to it. */
export interface Leave {
  readonly steps?: readonly PathStep[];
  readonly reads?: readonly Read[];
  readonly hops: number;
  readonly by: MoveCause;
  readonly transition?: number;
  readonly goBack?: number;
  /** Whether the turn continues at the target. */
  readonly isGoingOn?: boolean;
}

/** Moves, ends and arrivals in a graph. */
export interface Moves {
  readonly graph: AgentGraph;
  readonly sources: VariableSources;
  /** Where a call arrives at a node. */
  readonly placeOf: (node: string, phase: PathPosition["phase"], rest?: Partial<PathPosition>) => PathPosition;
  /** The end of a call. */
  readonly over: (node: string, reason: EndReason, edge?: Partial<PathEdge>) => PathEdge;
  /** A move to another node, or the end of the call if the turn has made too many transitions. */
  readonly move: (from: string, to: string, leave: Leave) => PathEdge;
}

export function movesIn(graph: AgentGraph, sources: VariableSources): Moves {
  function placeOf(node: string, phase: PathPosition["phase"], rest: Partial<PathPosition> = {}): PathPosition {
    const target = own(graph.nodes, node);
    const isSpoken = rest.spoken === true || target === undefined || !isStatic(target);
    return { hops: 0, match: -1, ...rest, node, phase, spoken: isSpoken };
  }

  function over(node: string, reason: EndReason, { steps = [], reads }: Partial<PathEdge> = {}): PathEdge {
    return {
      steps: [...steps, { kind: "end", node, reason }],
      ...(reads ? { reads } : {}),
      to: { node, phase: "over", hops: 0, spoken: true, match: -1, reason },
    };
  }

  function move(from: string, to: string, { steps = [], reads, hops, isGoingOn = true, ...cause }: Leave): PathEdge {
    if (hops >= MOST_HOPS) return over(from, "hop_limit", { steps, ...(reads ? { reads } : {}) });
    return {
      steps: [...steps, { kind: "move", from, to, ...cause }],
      ...(reads ? { reads } : {}),
      to: placeOf(to, isGoingOn ? "walk" : "rest", { spoken: false, hops: isGoingOn ? hops + 1 : 0 }),
      moves: to === BACK ? "back" : "forward",
    };
  }

  return { graph, sources, placeOf, over, move };
}

/** Conditions in order: an edge for each that can be the first to be true, and what is left when none is. */
export function firstTrue(
  conditions: readonly TransitionCondition[],
  { truth }: Situation,
  take: (index: number, reads: readonly Read[]) => PathEdge,
): { readonly edges: readonly PathEdge[]; readonly otherwise: readonly Read[] | undefined } {
  const edges: PathEdge[] = [];
  const reads: Read[] = [];
  for (const [index, condition] of conditions.entries()) {
    const known = truth(condition);
    if (known === true) return { edges: [...edges, take(index, [...reads])], otherwise: undefined };
    if (known === false) continue;
    edges.push(take(index, [...reads, { condition, holds: true }]));
    reads.push({ condition, holds: false });
  }
  return { edges, otherwise: reads };
}
