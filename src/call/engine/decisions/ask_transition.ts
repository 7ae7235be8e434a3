import type { AgentNode } from "../../../document/graph/mod.ts";
import type { Message } from "../../../document/transcript/mod.ts";
import { callModel, type TransitionOutput, transitionSignature } from "../../models/mod.ts";
import { type CallState, expanded, modelOptions } from "../call/mod.ts";
import { historyOf, lastIndexOf } from "../reply/mod.ts";
import type { Offer } from "./offers.ts";

/**
 * Asks the model which transition to take.
 *
 * @param onRequest Called when a request is sent; not when the answer is replayed.
 */
export async function askForTransition(
  state: CallState,
  node: AgentNode,
  offers: readonly Offer[],
  history: readonly Message[],
  onRequest?: () => void,
): Promise<TransitionOutput> {
  return await callModel(
    await state.agent(),
    transitionSignature,
    {
      current_state_prompt: expanded(state, node.state_prompt),
      conversation_history: historyOf(history),
      last_agent_message: state.transcript[lastIndexOf(state.transcript, "assistant")]?.content ?? "",
      available_transitions: [...offers],
    },
    onRequest ? { ...modelOptions(state), onRequest } : modelOptions(state),
  );
}
