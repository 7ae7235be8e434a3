import { own } from "../../../../base/values/mod.ts";
import {
  type AgentGraph,
  type AgentNode,
  endingOf,
  goesOnAtOnce,
  isOnCall,
  isStatic,
  isTerminal,
  MOST_HOPS,
  type ToolDefinition,
  type Transition,
  type TransitionCondition,
  wayAfterFailedTransfer,
  waysAfterSpeech,
} from "../../../../document/graph/mod.ts";
import type { EndReason } from "../../../../document/transcript/mod.ts";
import type { MoveCause, PathStep } from "../path.ts";
import { BACK, type PathEdge, type PathPosition, type Read, type Write } from "../place.ts";
import type { VariableSources } from "../variables.ts";

/** The speech of a node: a verbatim text, or a reply that may call tools first. */
export function speechEdges(moves: Moves, place: PathPosition, node: AgentNode): readonly PathEdge[] {
  const isVerbatim = isStatic(node) && !place.spoken && node.state_prompt.trim() !== "";
  if (isVerbatim || node.tools.length === 0)
    return afterSpeech(moves, place, node, [{ kind: "speak", node: place.node, verbatim: isVerbatim }]);
  return replyEdges(moves, { ...place, phase: "reply", spoken: true, match: -1 }, node);
}

/** A reply: one more tool call, or the words. */
export function replyEdges(moves: Moves, place: PathPosition, node: AgentNode): readonly PathEdge[] {
  const { node: id } = place;
  const free = node.node_type === "conversation" ? waysAfterSpeech(node).withoutModel : [];
  const tools = node.tools.filter((tool, at) => node.tools.findIndex(({ name }) => name === tool.name) === at);
  const calls = tools.flatMap((tool) =>
    (["succeeded", "failed"] as const).map((outcome): PathEdge => {
      const fits = free.findIndex(({ condition }) => isOnCall(condition, { name: tool.name, outcome }));
      const match = fits === -1 ? place.match : place.match === -1 ? fits : Math.min(fits, place.match);
      const reason = place.reason ?? (outcome === "succeeded" ? endingOf(tool) : undefined);
      const to = { ...place, match, ...(reason ? { reason } : {}) };
      const step = toolStep(id, tool, outcome, "reply");
      return { steps: [step], to, ...(outcome === "succeeded" ? { writes: responses(moves, tool) } : {}) };
    }),
  );
  return [...calls, ...afterSpeech(moves, place, node, [{ kind: "speak", node: id, verbatim: false }])];
}

function afterSpeech(
  moves: Moves,
  place: PathPosition,
  node: AgentNode,
  steps: readonly PathStep[],
): readonly PathEdge[] {
  const { node: id, reason } = place;
  if (reason) return [moves.over(id, reason, { steps })];
  if (isTerminal(node)) return effectEdges(moves, place, node, steps);
  return [edgeAfterSpeech(moves, place, node, steps, waysAfterSpeech(node).withoutModel[place.match]) ?? stayed()];

  function stayed(): PathEdge {
    return { steps, to: moves.placeOf(id, "rest", { spoken: true }) };
  }
}

/** The move after speech, if there is one: by the outcome of a tool that was called, else by an `always` transition. */
export function edgeAfterSpeech(
  { graph, move }: Moves,
  { node: id, hops }: PathPosition,
  node: AgentNode,
  steps: readonly PathStep[],
  onTool: Transition | undefined,
): PathEdge | undefined {
  const next = onTool ?? waysAfterSpeech(node).otherwise;
  if (!next) return undefined;
  const target = own(graph.nodes, next.target_node_id);
  return move(id, next.target_node_id, {
    steps,
    hops,
    by: onTool ? "tool" : "always",
    transition: node.transitions.indexOf(next),
    isGoingOn: target === undefined || goesOnAtOnce(next, target),
  });
}

/** The edges of an end or a transfer after it has spoken. */
export function effectEdges(
  { over, move, placeOf }: Moves,
  { node: id, hops }: PathPosition,
  node: AgentNode,
  steps: readonly PathStep[],
): readonly PathEdge[] {
  if (node.node_type === "end") return [over(id, "agent_ended", { steps })];
  const transfer = (outcome: "succeeded" | "failed") => [...steps, { kind: "transfer", node: id, outcome } as const];
  const failed = wayAfterFailedTransfer(node);
  const transition = failed && node.transitions.indexOf(failed);
  return [
    over(id, "agent_transferred", { steps: transfer("succeeded") }),
    failed && transition !== undefined
      ? move(id, failed.target_node_id, { steps: transfer("failed"), hops, by: "transfer-failed", transition })
      : { steps: transfer("failed"), to: placeOf(id, "rest", { spoken: true }) },
  ];
}

/** A tool call without the values that it returns. */
export function toolStep(
  node: string,
  tool: ToolDefinition,
  outcome: "succeeded" | "failed",
  by: "node" | "reply",
  asksArguments = false,
): PathStep {
  return { kind: "tool", node, tool: tool.name, by, asksArguments, outcome, result: undefined, variables: {} };
}

/** The variables that a tool's result may set. */
export function responses({ sources }: Moves, tool: ToolDefinition): readonly Write[] {
  return Object.keys(tool.response_variables ?? {}).map((variable) => ({ variable, fact: sources.returned }));
}

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
