import { equationText } from "../expressions/mod.ts";
import type { AgentNode } from "../graph/mod.ts";
import { NO_TRANSITION, type TransitionOutput } from "../models/mod.ts";
import type { Message } from "../transcript/mod.ts";
import { own } from "../values/mod.ts";
import { type CallState, record } from "./call_state.ts";
import { type Offer, pickedOffer } from "./offers.ts";

/** Why a call moves on, in words, and what a model has decided, where one was asked. */
export interface Because {
  readonly text: string;
  readonly decision?: TransitionOutput;
}

/** A decision as a `tool` message of the transcript keeps it. */
export function decisionMetadata(decision: TransitionOutput | undefined): Message["metadata"] {
  return decision ? { decision } : {};
}

/** A model's own words on a decision, to stand behind what it decided; empty where it gives none. */
export function reasoningText(decision: TransitionOutput | undefined): string {
  const reasoning = decision?.reasoning?.replace(/\s+/g, " ").trim();
  return reasoning ? `; reasoning: ${reasoning}` : "";
}

/** Writes into the transcript that a model has picked none of the transitions on offer, and why. */
export function recordNoPick(state: CallState, offers: readonly Offer[], decision: TransitionOutput): void {
  const { objectives_complete: complete, transition_to: pick } = decision;
  const targets = [...new Set(offers.map(({ target }) => target))];
  const isNone = [NO_TRANSITION, ...(complete ? [] : [""])].includes(pick.trim().toLowerCase());
  const offered = targets.map((target) => `"${target}"`).join(", ");
  if (!isNone && !pickedOffer(offers, pick)) {
    const text = `no transition taken: unusable answer: the model picks "${pick}", which was not offered; offered: ${offered}`;
    record(state, "tool", text + reasoningText(decision), {
      kind: "unusable_answer",
      signature: "transition",
      offered: targets,
      ...decisionMetadata(decision),
    });
    return;
  }
  const why = complete ? `the model picks none of ${offered}` : "the objectives are not complete";
  record(state, "tool", `no transition taken: ${why}${reasoningText(decision)}`, {
    kind: "decision",
    offered: targets,
    ...decisionMetadata(decision),
  });
}

/** Writes into the transcript that none of a node's equations holds, with the values that its variables have. */
export function recordNoEquation(state: CallState, node: AgentNode): void {
  const variables = Object.fromEntries(state.variables);
  const equations = node.transitions.flatMap(({ target_node_id: target, condition }) =>
    condition.type === "equation" ? [`${equationText(condition, variables)} -> ${target}`] : [],
  );
  if (equations.length === 0) return;
  const text = `no transition taken: no equation holds: ${equations.join("; ")}`;
  record(state, "tool", text, { kind: "decision", variables: valuesOf(node, variables) });
}

/** The variables that a node's equations look at. */
function valuesOf(node: AgentNode, variables: { readonly [name: string]: string }): { [name: string]: string | null } {
  const names = node.transitions.flatMap(({ condition }) => condition.equations?.map(({ left }) => left) ?? []);
  return Object.fromEntries([...new Set(names)].map((name) => [name, own(variables, name) ?? null]));
}
