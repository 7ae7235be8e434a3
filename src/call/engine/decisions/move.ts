import { own } from "../../../base/values/mod.ts";
import { MOST_HOPS } from "../../../document/graph/mod.ts";
import { type CallState, end, evaluatedMetadata, record } from "../call/mod.ts";
import { dropReplyAhead } from "../reply/mod.ts";
import { type Because, decisionMetadata, reasoningText } from "./decision_record.ts";

/**
 * Moves the call to another node and updates the stack of originators: going back to the node from which a global node
 * was entered pops it (checked first), entering a global node pushes, leaving one forward pops.
 *
 * @returns Whether the call moved. If not, it has ended: by the limit of transitions, or from outside.
 */
export function moveTo(state: CallState, target: string, { text: because, ways, decision }: Because): boolean {
  if (state.endReason) return false; // ended from outside while the transition was being decided
  if (state.hops >= MOST_HOPS) {
    end(state, "hop_limit", `more than ${MOST_HOPS} moves in one turn, the last from "${state.at}" to "${target}"`);
    return false;
  }
  state.hops += 1;
  // the reply was written without tool results and values from the nodes in between
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
    ways,
    ...evaluatedMetadata(state),
    ...decisionMetadata(decision),
  });
  state.at = target;
  state.nodesVisited.push(target);
  state.enteredAt = state.transcript.length;
  state.spokenHere = false;
  return true;
}

/** Whether a node is global. */
export function isGlobal(state: CallState, id: string): boolean {
  return Boolean(own(state.graph.nodes, id)?.global_node_setting);
}
