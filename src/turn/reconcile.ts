import { EVENTS } from "../models/mod.ts";
import type { TurnState } from "./state.ts";
import { callKey, resultText } from "./tool_answer.ts";

/** How often a model that answers nothing is asked again. */
export const MOST_NUDGES = 3;

/** Decides whether the turn is over: by an answer, by failure, by an abort. Else it goes round once more. */
export function reconcile(state: TurnState): void {
  const { text, toolCalls, isCut } = state.reply;
  if (toolCalls.length === 0 && text.trim()) {
    state.outcome = { kind: "answered", text: text.trim(), ...(isCut ? { isCut } : {}) };
  } else if (toolCalls.length === 0) {
    nudge(state);
  } else {
    stopRepeatedFailure(state);
  }
  if (!state.outcome && state.call.signal?.aborted) {
    state.outcome = { kind: "aborted", endReason: "aborted", reason: "the call was aborted" };
  }
}

function nudge(state: TurnState): void {
  if (state.nudges >= MOST_NUDGES) {
    state.outcome = { kind: "failed", reason: `the model said nothing ${state.nudges + 1} times` };
    return;
  }
  state.nudges += 1;
  state.messages.push({ role: "user", content: EVENTS.nothingSaid });
}

/** The same call failing in this step and the one before: the model is stuck, and would be again. */
function stopRepeatedFailure(state: TurnState): void {
  const failed = new Map<string, string>();
  for (const call of state.executed) {
    if (call.outcome === "failed") failed.set(callKey(call.name, call.arguments), resultText(call.result));
  }
  for (const [key, error] of failed) {
    if (!state.failedBefore.has(key)) continue;
    state.outcome = { kind: "failed", reason: `${key} failed twice: ${error}` };
    return;
  }
  state.failedBefore = failed;
}
