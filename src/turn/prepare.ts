import { exceededLimit } from "./budget.ts";
import type { TurnState } from "./state.ts";

/** Hands waiting messages to the model and checks the budgets of the turn and of the call. */
export function prepare(state: TurnState): void {
  for (const text of state.steering.drain()) {
    state.messages.push({ role: "user", content: text });
    state.events.onSteering(text);
    state.prepared = undefined; // it was written without knowing of the message
  }
  if (state.call.signal?.aborted) {
    state.outcome = { kind: "aborted", endReason: "aborted", reason: "the call was aborted" };
    return;
  }
  const exceeded =
    exceededLimit("turn", state.budget.turn, state.spentInTurn) ??
    exceededLimit("call", state.budget.call, state.spentInCall);
  if (!exceeded) return;
  const reason = `${exceeded.scope} budget ${exceeded.budget}: ${exceeded.value} of ${exceeded.limit}`;
  state.outcome = { kind: "aborted", endReason: "budget_exceeded", reason, exceeded };
}
