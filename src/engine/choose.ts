import { equationHolds, equationText } from "../expressions/mod.ts";
import { type AgentNode, type Transition, waysAfterHearing, waysBack } from "../graph/mod.ts";
import type { CallState } from "./call_state.ts";
import { decide } from "./decide.ts";
import { type Because, recordNoEquation, recordNoPick } from "./decision_record.ts";
import { isSpent } from "./model_options.ts";
import { moveTo } from "./move.ts";
import { globalOffers, goBackOffers, ownOffers, pickedOffer } from "./offers.ts";

/**
 * Takes a transition after the caller has spoken: the first equation that is true, without a model call; else the
 * model's pick of all offers; else the `else` transition.
 *
 * @returns Whether a transition was taken.
 */
export async function chooseAfterHearing(state: CallState, node: AgentNode): Promise<boolean> {
  const equation = holdingEquation(state, node);
  if (equation) return moveTo(state, equation.target, equation.because);

  const { offered, otherwise } = waysAfterHearing(node);
  const offers = [...ownOffers(state, offered), ...globalOffers(state, node), ...goBackOffers(state, node)];
  if (offers.length > 0) {
    if (isSpent(state)) return false;
    const answer = await decide(state, node, offers);
    const picked = answer.objectives_complete ? pickedOffer(offers, answer.transition_to) : undefined;
    if (picked) return moveTo(state, picked.target, { text: picked.condition, decision: answer });
    if (!state.endReason) recordNoPick(state, offers, answer);
    if (!answer.objectives_complete) return false;
  }
  if (!otherwise && offers.length === 0) recordNoEquation(state, node);
  return otherwise !== undefined && moveTo(state, otherwise.target_node_id, { text: "no other condition is met" });
}

/** Returns the target of the first equation that is true: the node's transitions first, then its go-back conditions. */
function holdingEquation(state: CallState, node: AgentNode): { target: string; because: Because } | undefined {
  const variables = Object.fromEntries(state.variables);
  const holds = ({ condition }: Pick<Transition, "condition">) => equationHolds(condition, variables);
  const own = waysAfterHearing(node).free.find(holds);
  const back = own ? undefined : waysBack(node).free.find(holds);
  const target = own ? own.target_node_id : back && state.originators.at(-1);
  const condition = (own ?? back)?.condition;
  if (target === undefined || !condition) return undefined;
  return { target, because: { text: equationText(condition, variables) } };
}
