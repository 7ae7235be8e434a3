import { exceededLimit, exceededText, spentBefore } from "./budget.ts";
import type { TurnState } from "./state.ts";

/** Hands waiting messages to the model and checks the budgets of the turn and of the call. */
export function prepare(state: TurnState): void {
  for (const text of state.steering.drain()) {
    state.notes = [...(state.notes ?? []), { direction: text }];
    state.events.onSteering(text);
    state.replyAhead?.discard();
    state.replyAhead = undefined; // it was written without knowing of the message
  }
  if (state.call.signal?.aborted) {
    state.outcome = { kind: "aborted", endReason: "aborted", reason: "the call was aborted" };
    return;
  }
  // a reply that was asked for before the turn is the call that is about to be allowed
  const { replyAhead, spentInCall } = state;
  const before = replyAhead ? spentBefore(spentInCall, replyAhead.spent) : spentInCall;
  const exceeded =
    exceededLimit("turn", state.budget.turn, state.spentInTurn) ?? exceededLimit("call", state.budget.call, before);
  if (!exceeded) return;
  replyAhead?.discard();
  state.outcome = { kind: "aborted", endReason: "budget_exceeded", reason: exceededText(exceeded), exceeded };
}
