import { equationText } from "../../../document/expressions/mod.ts";
import { type AgentNode, waysAfterHearing, waysBack } from "../../../document/graph/mod.ts";
import type { CallState } from "../call/mod.ts";
import { isSpent, timed } from "../call/mod.ts";
import { decide } from "./decide.ts";
import { type Because, recordNoEquation, recordNoPick } from "./decision_record.ts";
import { moveTo } from "./move.ts";
import { globalOffers, goBackOffers, ownOffers, pickedOffer } from "./offers.ts";
import { holdsNoted, pickedWays, wayOf } from "./taken_ways.ts";

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
    const answer = await timed(state, "transition", () => decide(state, node, offers));
    const picked = answer.objectives_complete ? pickedOffer(offers, answer.transition_to) : undefined;
    if (picked) {
      const ways = pickedWays(state, node, offered, picked.target);
      return moveTo(state, picked.target, { text: picked.condition, ways, decision: answer });
    }
    if (!state.endReason) recordNoPick(state, offers, answer);
    if (!answer.objectives_complete) return false;
  }
  if (!otherwise && offers.length === 0) recordNoEquation(state, node);
  if (!otherwise) return false;
  const because = { text: "no other condition is met", ways: [wayOf(node, otherwise)] };
  return moveTo(state, otherwise.target_node_id, because);
}

/** Returns the target of the first equation that is true: the node's transitions first, then its go-back conditions. */
function holdingEquation(state: CallState, node: AgentNode): { target: string; because: Because } | undefined {
  const { withoutModel: free } = waysAfterHearing(node);
  const originator = state.originators.at(-1);
  const backs = originator === undefined ? [] : waysBack(node).withoutModel;
  if (free.length === 0 && backs.length === 0) return undefined;
  const variables = Object.fromEntries(state.variables);
  for (const transition of free) {
    const { condition, target_node_id: target } = transition;
    const way = wayOf(node, transition);
    if (holdsNoted(state, way, condition, variables))
      return { target, because: { text: equationText(condition, variables), ways: [way] } };
  }
  if (originator === undefined) return undefined;
  const conditions = node.global_node_setting?.go_back_conditions ?? [];
  for (const back of backs) {
    const way = { go_back: conditions.indexOf(back) };
    if (holdsNoted(state, way, back.condition, variables))
      return { target: originator, because: { text: equationText(back.condition, variables), ways: [way] } };
  }
  return undefined;
}
