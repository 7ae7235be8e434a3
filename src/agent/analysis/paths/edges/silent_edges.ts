import {
  type AgentNode,
  endingOf,
  hasOutcome,
  type Transition,
  type TransitionCondition,
  waysAfterWork,
  workQuestion,
} from "../../../../document/graph/mod.ts";
import type { PathStep } from "../path.ts";
import type { PathEdge, PathPosition } from "../place.ts";
import { firstTrue, type Moves, type Situation } from "./moves.ts";
import { responses, toolStep } from "./tool_steps.ts";

/** The work of a silent node: it extracts variables, or calls its tool. */
export function workEdges(moves: Moves, place: PathPosition, node: AgentNode): readonly PathEdge[] {
  const { node: id } = place;
  const routed = (outcome?: "succeeded" | "failed"): PathPosition => ({
    ...place,
    phase: "route",
    ...(outcome ? { outcome } : {}),
  });
  if (workQuestion(node) === "extract") {
    const writes = node.variables_to_extract.map((each) => ({
      variable: each.name,
      fact: moves.sources.extracted(each),
    }));
    return [{ steps: [{ kind: "extract", node: id, values: {} }], writes, to: routed() }];
  }
  if (node.node_type !== "function") return [{ steps: [], to: routed() }];
  const [tool] = node.tools;
  if (!tool) return [{ steps: [], to: routed("failed") }];
  const asks = workQuestion(node) === "arguments";
  const ending = endingOf(tool);
  const succeeded = toolStep(id, tool, "succeeded", "node", asks);
  return [
    ending
      ? { ...moves.over(id, ending, { steps: [succeeded] }), writes: responses(moves, tool) }
      : { steps: [succeeded], writes: responses(moves, tool), to: routed("succeeded") },
    { steps: [toolStep(id, tool, "failed", "node", asks)], to: routed("failed") },
  ];
}

/** Where a silent node leads once its work is done. */
export function routeEdges(
  { move, placeOf }: Moves,
  place: PathPosition,
  node: AgentNode,
  situation: Situation,
): readonly PathEdge[] {
  const { node: id, hops, outcome } = place;
  const { withoutModel: free, offered, otherwise } = waysAfterWork(node);
  const indexOf = (transition: Transition) => node.transitions.indexOf(transition);
  const onTool = (each: TransitionCondition) => outcome !== undefined && hasOutcome(each, outcome);
  const { edges, otherwise: reads } = firstTrue(
    free.map(({ condition }) => condition),
    { ...situation, truth: (each) => (each.type === "tool_call" ? onTool(each) : situation.truth(each)) },
    (index, needed) => {
      const transition = free[index];
      if (!transition) throw new TypeError("unreachable: the index is that of a condition");
      const by = transition.condition.type === "tool_call" ? "tool" : "equation";
      return move(id, transition.target_node_id, { reads: needed, hops, by, transition: indexOf(transition) });
    },
  );
  if (!reads) return edges;
  const none = (steps: readonly PathStep[]): PathEdge =>
    otherwise
      ? move(id, otherwise.target_node_id, { steps, reads, hops, by: "always", transition: indexOf(otherwise) })
      : { steps, reads, to: placeOf(id, "rest", { spoken: true }) };
  if (offered.length === 0) return [...edges, none([])];
  const decide = { kind: "decide", node: id, objectivesComplete: true } as const;
  const picks = new Map<string, PathEdge>();
  for (const transition of offered) {
    const target = transition.target_node_id;
    if (picks.has(target)) continue;
    const steps = [{ ...decide, target }];
    picks.set(target, move(id, target, { steps, reads, hops, by: "model", transition: indexOf(transition) }));
  }
  return [...edges, ...picks.values(), none([decide])];
}
