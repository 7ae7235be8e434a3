import { own } from "../../../../base/values/mod.ts";
import {
  type AgentNode,
  endingOf,
  goesOnAtOnce,
  isOnCall,
  isStatic,
  isTerminal,
  type Transition,
  wayAfterFailedTransfer,
  waysAfterSpeech,
} from "../../../../document/graph/mod.ts";
import type { PathStep } from "../path.ts";
import type { PathEdge, PathPosition } from "../place.ts";
import type { Moves } from "./moves.ts";
import { responses, toolStep } from "./tool_steps.ts";

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
