import { own } from "../values/mod.ts";
import { type CallState, end, record } from "./call_state.ts";
import { type Because, decisionMetadata, reasoningText } from "./decision_record.ts";
import { dropReplyAhead } from "./reply_ahead.ts";

/** Moves of one turn; one more ends the call. */
export const MOST_HOPS = 20;

/**
 * Moves the caller to another node and keeps the stack of global nodes: going back to where a global node was entered
 * from pops it (tried first), entering a global node pushes, leaving one forward pops.
 *
 * @returns Whether the move was made; when it was not, the call is over: it was one too many, or nobody is left to move.
 */
export function moveTo(state: CallState, target: string, { text: because, decision }: Because): boolean {
  if (state.endReason) return false; // it was ended from outside while the move was being decided
  if (state.hops >= MOST_HOPS) {
    end(state, "hop_limit", `more than ${MOST_HOPS} moves in one turn, the last from "${state.at}" to "${target}"`);
    return false;
  }
  state.hops += 1;
  // what happens on the way, a tool's answer or a new value, was not known when the reply was written
  if (state.replyAhead?.node !== target) dropReplyAhead(state);
  const from = state.at;
  const fromGlobal = isGlobal(state, from);
  if (fromGlobal && state.originators.at(-1) === target) state.originators.pop();
  else if (isGlobal(state, target)) state.originators.push(from);
  else if (fromGlobal) state.originators.pop();
  record(state, "tool", `${from} -> ${target}: ${because}${reasoningText(decision)}`, {
    kind: "transition",
    from,
    to: target,
    because,
    ...decisionMetadata(decision),
  });
  state.at = target;
  state.nodesVisited.push(target);
  state.enteredAt = state.transcript.length;
  state.spokenHere = false;
  return true;
}

/** Whether a node can be entered from anywhere. */
export function isGlobal(state: CallState, id: string): boolean {
  return Boolean(own(state.graph.nodes, id)?.global_node_setting);
}
