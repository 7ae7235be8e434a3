import { exceededLimit, exceededText, spentBefore } from "./budget.ts";
import type { TurnState } from "./state.ts";

/** Hands waiting messages to the model and checks the budgets of the turn and of the call. */
export function prepare(state: TurnState): void {
  for (const text of state.steering.drain()) {
    state.notes = [...(state.notes ?? []), { direction: text }];
    state.events.onSteering(text);
    state.prepared?.discard();
    state.prepared = undefined; // it was written without knowing of the message
  }
  if (state.call.signal?.aborted) {
    state.outcome = { kind: "aborted", endReason: "aborted", reason: "the call was aborted" };
    return;
  }
  // a reply that was asked for before the turn is the call that is about to be allowed
  const { prepared, spentInCall } = state;
  const before = prepared ? spentBefore(spentInCall, prepared.spent) : spentInCall;
  const exceeded =
    exceededLimit("turn", state.budget.turn, state.spentInTurn) ?? exceededLimit("call", state.budget.call, before);
  if (!exceeded) return;
  prepared?.discard();
  state.outcome = { kind: "aborted", endReason: "budget_exceeded", reason: exceededText(exceeded), exceeded };
}
