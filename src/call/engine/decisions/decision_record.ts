import { own, quotedList } from "../../../base/values/mod.ts";
import { clauseVariables, equationText } from "../../../document/expressions/mod.ts";
import { type AgentNode, foldedTarget, type TransitionCondition, waysBack } from "../../../document/graph/mod.ts";
import type { Message, RecordedMove } from "../../../document/transcript/mod.ts";
import { NO_TRANSITION, type TransitionOutput } from "../../models/mod.ts";
import { type CallState, evaluatedMetadata, record } from "../call/mod.ts";
import { type Offer, pickedOffer } from "./offers.ts";

/** Why a transition was taken, with the model's decision if there was one. */
export interface Because {
  readonly text: string;
  /** Several where the model picked a node to which several of its offers lead. */
  readonly ways: readonly RecordedMove[];
  readonly decision?: TransitionOutput;
}

/** A decision as metadata of a `tool` message. */
export function decisionMetadata(decision: TransitionOutput | undefined): Message["metadata"] {
  return decision ? { decision } : {};
}

/** Returns the model's reasoning as a suffix for a message; empty when there is none. */
export function reasoningText(decision: TransitionOutput | undefined): string {
  const reasoning = decision?.reasoning?.replace(/\s+/g, " ").trim();
  return reasoning ? `; reasoning: ${reasoning}` : "";
}

/** Records that the model picked none of the offered transitions, and why. */
export function recordNoPick(state: CallState, offers: readonly Offer[], decision: TransitionOutput): void {
  const { objectives_complete: complete, transition_to: pick } = decision;
  const targets = [...new Set(offers.map(({ target }) => target))];
  const isNone = [NO_TRANSITION, ...(complete ? [] : [""])].includes(foldedTarget(pick));
  const offered = quotedList(targets);
  if (!isNone && !pickedOffer(offers, pick)) {
    const text = `no transition taken: unusable answer: the model picks "${pick}", which was not offered; offered: ${offered}`;
    record(state, "tool", text + reasoningText(decision), {
      kind: "unusable_answer",
      signature: "transition",
      offered: targets,
      ...evaluatedMetadata(state),
      ...decisionMetadata(decision),
    });
    return;
  }
  const why = complete ? `the model picks none of ${offered}` : "the objectives are not complete";
  record(state, "tool", `no transition taken: ${why}${reasoningText(decision)}`, {
    kind: "decision",
    offered: targets,
    ...evaluatedMetadata(state),
    ...decisionMetadata(decision),
  });
}

/** Records that no equation of the node is true, go-back conditions included, with the values of its variables. */
export function recordNoEquation(state: CallState, node: AgentNode): void {
  const variables = Object.fromEntries(state.variables);
  const originator = state.originators.at(-1);
  const backs = originator === undefined ? [] : waysBack(node).withoutModel;
  const equations = [
    ...node.transitions.filter(({ condition }) => condition.type === "equation"),
    ...backs.map(({ condition }) => ({ condition, target_node_id: originator ?? "" })),
  ];
  if (equations.length === 0) return;
  const conditions = equations.map(({ condition }) => condition);
  const texts = equations.map(
    ({ condition, target_node_id: target }) => `${equationText(condition, variables)} -> ${target}`,
  );
  const text = `no transition taken: no equation holds: ${texts.join("; ")}`;
  record(state, "tool", text, {
    kind: "decision",
    variables: valuesOf(conditions, variables),
    ...evaluatedMetadata(state),
  });
}

/** The values of the variables in conditions. */
function valuesOf(
  conditions: readonly TransitionCondition[],
  variables: { readonly [name: string]: string },
): { [name: string]: string | null } {
  const names = conditions.flatMap(({ equations }) => (equations ?? []).flatMap(clauseVariables));
  return Object.fromEntries([...new Set(names)].map((name) => [name, own(variables, name) ?? null]));
}
