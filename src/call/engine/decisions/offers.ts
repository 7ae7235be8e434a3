import { type AgentNode, foundTarget, type Transition, waysBack } from "../../../document/graph/mod.ts";
import type { TransitionInput } from "../../models/mod.ts";
import { type CallState, expanded } from "../call/mod.ts";

/** A transition that the model can pick. */
export type Offer = TransitionInput["available_transitions"][number];

/** LLM transitions of a node, in order. */
export function ownOffers(state: CallState, transitions: readonly Transition[]): Offer[] {
  return transitions.map((transition) => ({
    target: transition.target_node_id,
    condition: expanded(state, transition.condition.value),
    condition_type: "llm_prompt",
    description: expanded(state, transition.description),
  }));
}

/** The other global nodes, in the order of the graph. */
export function globalOffers(state: CallState, node: AgentNode): Offer[] {
  return Object.entries(state.graph.nodes).flatMap(([id, { global_node_setting: setting }]) =>
    setting && id !== node.id
      ? [
          {
            target: id,
            condition: expanded(state, setting.condition),
            condition_type: "global" as const,
            description: "",
          },
        ]
      : [],
  );
}

/** Offers that go back from a global node to the node from which it was entered. */
export function goBackOffers(state: CallState, node: AgentNode): Offer[] {
  const originator = state.originators.at(-1);
  if (originator === undefined) return [];
  return waysBack(node).offered.map(({ condition }) => ({
    target: originator,
    condition: expanded(state, condition.value),
    condition_type: "go_back",
    description: "",
  }));
}

/** Returns the offer whose target an answer names. */
export function pickedOffer(offers: readonly Offer[], answer: string): Offer | undefined {
  const target = foundTarget(
    offers.map((offer) => offer.target),
    answer,
  );
  return offers.find((offer) => offer.target === target);
}
