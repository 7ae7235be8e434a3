import { own } from "../../../base/values/mod.ts";
import { evaluateClauses } from "../../../document/expressions/mod.ts";
import { type AgentNode, type Transition, type TransitionCondition, waysBack } from "../../../document/graph/mod.ts";
import type { RecordedMove } from "../../../document/transcript/mod.ts";
import type { CallState } from "../call/mod.ts";

/** A transition of a node, as records store it. */
export function wayOf(node: AgentNode, transition: Transition): { readonly transition: number } {
  return { transition: node.transitions.indexOf(transition) };
}

/** Evaluates an equation condition, and notes its clauses for the next record of a transition or decision. */
export function holdsNoted(
  state: CallState,
  way: { readonly transition: number } | { readonly go_back: number },
  condition: TransitionCondition,
  variables: { readonly [name: string]: string },
): boolean {
  const { holds, clauses } = evaluateClauses(condition, variables);
  if (clauses.length > 0) state.evaluated = [...state.evaluated, { ...way, clauses }];
  return holds;
}

/**
 * The transitions that the model chose. It names a node, so all offered conditions that lead there count: the
 * node's own, else the entry of a global node; and go-back conditions, if the call came from that node.
 */
export function pickedWays(
  state: CallState,
  node: AgentNode,
  offered: readonly Transition[],
  target: string,
): readonly RecordedMove[] {
  const direct = offered.filter(({ target_node_id: to }) => to === target).map((each) => wayOf(node, each));
  const isEntered = direct.length === 0 && target !== node.id && own(state.graph.nodes, target)?.global_node_setting;
  const conditions = node.global_node_setting?.go_back_conditions ?? [];
  const backs = state.originators.at(-1) === target ? waysBack(node).offered : [];
  return [
    ...direct,
    ...(isEntered ? [{ global: true } as const] : []),
    ...backs.map((each) => ({ go_back: conditions.indexOf(each) })),
  ];
}
