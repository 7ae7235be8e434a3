import {
  type AgentNode,
  type EquationClause,
  hasOutcome,
  type TransitionCondition,
  waysAfterHearing,
  waysAfterWork,
  waysBack,
} from "../../../../document/graph/mod.ts";
import type { EvaluatedClause } from "../path.ts";
import type { PathEdge, PathPosition, Read } from "../place.ts";
import type { Situation } from "./moves.ts";

/** An equation, or the outcome of a tool, that is evaluated before the model is asked. */
interface Condition {
  readonly of: EvaluatedClause["of"];
  readonly index: number;
  readonly condition: TransitionCondition;
}

/** Makes a condition of one clause, the same one each time. */
export type ClauseConditions = (clause: EquationClause) => TransitionCondition;

export function clauseConditions(): ClauseConditions {
  const known = new Map<EquationClause, TransitionCondition>();
  return (clause) => {
    const found = known.get(clause);
    if (found) return found;
    const made: TransitionCondition = { type: "equation", value: "", equations: [clause] };
    known.set(clause, made);
    return made;
  };
}

/**
 * Where transitions are chosen: an edge for each clause that can be evaluated there, and for each value that it can
 * have. The edges lead nowhere; they are goals of a search.
 */
export function evaluationEdges(
  place: PathPosition,
  node: AgentNode,
  situation: Situation,
  conditionOf: ClauseConditions,
): readonly PathEdge[] {
  const { node: id, phase, outcome } = place;
  const edges: PathEdge[] = [];
  const none: Read[] = [];
  const to: PathPosition = { node: id, phase: "over", hops: 0, spoken: true, match: -1 };
  const steps = phase === "rest" ? ([{ kind: "hear", node: id }] as const) : [];
  for (const { of, index, condition } of conditionsAt(place, node, situation)) {
    if (condition.type === "tool_call") {
      if (outcome !== undefined && hasOutcome(condition, outcome)) break;
      continue;
    }
    const decides = condition.logical_operator === "or";
    const before = [...none];
    for (const [clause, equation] of (condition.equations ?? []).entries()) {
      const single = conditionOf(equation);
      const known = situation.truth(single);
      for (const isTrue of known === undefined ? [true, false] : [known]) {
        const reads = known === undefined ? [...before, { condition: single, holds: isTrue }] : [...before];
        edges.push({ steps, reads, to, evaluates: { node: id, of, index, clause, isTrue } });
      }
      if (known === decides) break;
      if (known === undefined) before.push({ condition: single, holds: !decides });
    }
    const known = situation.truth(condition);
    if (known === true) break;
    if (known === undefined) none.push({ condition, holds: false });
  }
  return edges;
}

function conditionsAt({ phase }: PathPosition, node: AgentNode, { canGoBack }: Situation): readonly Condition[] {
  const { withoutModel: free } = phase === "rest" ? waysAfterHearing(node) : waysAfterWork(node);
  const backs = node.global_node_setting?.go_back_conditions ?? [];
  return [
    ...free.map((each): Condition => {
      return { of: "transition", index: node.transitions.indexOf(each), condition: each.condition };
    }),
    ...(phase === "rest" && canGoBack ? waysBack(node).withoutModel : []).map((each): Condition => {
      return { of: "go-back", index: backs.indexOf(each), condition: each.condition };
    }),
  ];
}
