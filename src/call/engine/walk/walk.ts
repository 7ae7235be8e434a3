import {
  type AgentNode,
  goesOnAtOnce,
  isOnCall,
  isTerminal,
  speaks,
  wayAfterFailedTransfer,
  waysAfterSpeech,
} from "../../../document/graph/mod.ts";
import type { ExecutedCall } from "../../turn/mod.ts";
import { type CallState, currentNode, end } from "../call/mod.ts";
import { moveTo, wayOf } from "../decisions/mod.ts";
import { doSilentWork, routeSilently } from "./silent_work.ts";
import { speak } from "./speak.ts";

/** Runs nodes from the current one until the call waits for the caller or ends. */
export async function walk(state: CallState): Promise<void> {
  while (!state.endReason) {
    const node = currentNode(state);
    if (node.node_type === "conversation") {
      const called = await speak(state, node);
      if (!(await leaveAfterSpeech(state, node, called))) return;
    } else if (isTerminal(node)) {
      if (speaks(node)) await speak(state, node);
      if (!takeEffect(state, node)) return;
    } else {
      const outcome = await doSilentWork(state, node);
      if (state.endReason) return;
      const next = await routeSilently(state, node, outcome);
      if (!next || !moveTo(state, next.target, next.because)) return;
    }
  }
}

/**
 * Takes a transition after a conversation node has spoken: that of a tool that the reply called, else its `always`
 * transition. The new node waits for the caller, unless it ends the call silently or the transition has
 * `skip_response`.
 *
 * @returns Whether the turn continues.
 */
export async function leaveAfterSpeech(
  state: CallState,
  node: AgentNode,
  called: readonly ExecutedCall[] = [],
): Promise<boolean> {
  if (state.endReason) return false;
  const { withoutModel: free, otherwise } = waysAfterSpeech(node);
  const onTool = free.find(({ condition }) => called.some((call) => isOnCall(condition, call)));
  const next = onTool ?? otherwise;
  if (!next) return false;
  const because = { text: onTool ? "a tool was called" : "always, after speech", ways: [wayOf(node, next)] };
  if (!moveTo(state, next.target_node_id, because)) return false;
  return goesOnAtOnce(next, currentNode(state));
}

/** Whether the recording or a mock lets a transfer fail. */
function transferFails({ sources: { recorded, mocks } }: CallState, { id }: AgentNode): boolean {
  const outcome = recorded?.transfer(id);
  if (outcome !== undefined) return outcome === "failed";
  return recorded?.unmatched !== "fail" && mocks.take(id, {})?.result === false;
}

/**
 * Ends the call at an end or transfer node. If a mock makes the transfer fail, the `failed` transition is taken
 * instead.
 *
 * @returns Whether the turn continues.
 */
function takeEffect(state: CallState, node: AgentNode): boolean {
  if (state.endReason) return false;
  if (node.node_type === "end") {
    end(state, "agent_ended");
    return false;
  }
  if (!transferFails(state, node)) {
    end(state, "agent_transferred");
    return false;
  }
  const failed = wayAfterFailedTransfer(node);
  if (!failed) return false;
  return moveTo(state, failed.target_node_id, { text: "the transfer failed", ways: [wayOf(node, failed)] });
}
