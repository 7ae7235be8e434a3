import type { AgentNode } from "../graph/mod.ts";
import type { CallState } from "./call_state.ts";
import { decide } from "./decide.ts";
import { equationHolds } from "./equations.ts";
import { isSpent } from "./model_options.ts";
import { moveTo } from "./move.ts";
import { globalOffers, goBackOffers, ownOffers, pickedOffer } from "./offers.ts";

/**
 * Lets a conversation node that has heard the caller move on: equations first, without a model call; then one
 * transition call over everything on offer; then, with nothing picked, its `else` transition.
 *
 * @returns Whether the caller is at another node now.
 */
export async function chooseAfterHearing(state: CallState, node: AgentNode): Promise<boolean> {
  const equation = holdingEquation(state, node);
  if (equation !== undefined) return moveTo(state, equation, "an equation holds");

  const offers = [...ownOffers(state, node), ...globalOffers(state, node), ...goBackOffers(state, node)];
  if (offers.length > 0) {
    if (isSpent(state)) return false;
    const answer = await decide(state, node, offers);
    if (!answer.objectives_complete) return false;
    const picked = pickedOffer(offers, answer.transition_to);
    if (picked) return moveTo(state, picked.target, picked.condition);
  }
  const otherwise = node.transitions.find(({ condition, timing }) => condition.type === "always" && timing === "else");
  return otherwise !== undefined && moveTo(state, otherwise.target_node_id, "nothing else fits");
}

/** The target of the first equation that holds: the node's own, then those of its ways back. */
function holdingEquation(state: CallState, node: AgentNode): string | undefined {
  const variables = Object.fromEntries(state.variables);
  const holds = ({ condition }: { condition: AgentNode["transitions"][number]["condition"] }) =>
    condition.type === "equation" && equationHolds(condition, variables);
  const own = node.transitions.find(holds);
  if (own) return own.target_node_id;
  const backs = node.global_node_setting?.go_back_conditions ?? [];
  return backs.some(holds) ? state.originators.at(-1) : undefined;
}
