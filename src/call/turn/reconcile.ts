import { EVENTS } from "../models/mod.ts";
import type { TurnState } from "./state.ts";
import { resultText, toolCallKey } from "./tool_answer.ts";

/** How often a reply is requested again when it is empty. */
export const MOST_NUDGES = 3;

/** Ends the turn on an answer, a failure or an abort; otherwise the turn graph loops. */
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

/** Fails the turn when the same tool call fails in two steps in a row: the model would repeat it. */
function stopRepeatedFailure(state: TurnState): void {
  const failed = new Map<string, string>();
  for (const call of state.executed) {
    if (call.outcome === "failed") failed.set(toolCallKey(call.name, call.arguments), resultText(call.result));
  }
  for (const [key, error] of failed) {
    if (!state.failedBefore.has(key)) continue;
    state.outcome = { kind: "failed", reason: `${key} failed twice: ${error}` };
    return;
  }
  state.failedBefore = failed;
}
