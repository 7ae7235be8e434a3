import { exceededLimit, exceededText, spentBefore } from "./budget.ts";
import type { TurnState } from "./state.ts";

/** Adds queued steering messages and checks the budgets of the turn and the call. */
export function prepare(state: TurnState): void {
  for (const text of state.steering.drain()) {
    state.notes = [...(state.notes ?? []), { direction: text }];
    state.events.onSteering(text);
    state.replyAhead?.discard();
    state.replyAhead = undefined; // written before the message arrived
  }
  if (state.call.signal?.aborted) {
    state.outcome = { kind: "aborted", endReason: "aborted", reason: "the call was aborted" };
    return;
  }
  // the cost of a speculative reply belongs to the model call that is checked here
  const { replyAhead, spentInCall } = state;
  const before = replyAhead ? spentBefore(spentInCall, replyAhead.spent) : spentInCall;
  const exceeded =
    exceededLimit("turn", state.budget.turn, state.spentInTurn) ?? exceededLimit("call", state.budget.call, before);
  if (!exceeded) return;
  replyAhead?.discard();
  state.outcome = { kind: "aborted", endReason: "budget_exceeded", reason: exceededText(exceeded), exceeded };
}
