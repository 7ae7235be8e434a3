import { own } from "../../../base/values/mod.ts";
import { type AgentNode, canFuse, canSpeakNext, isStatic } from "../../../document/graph/mod.ts";
import { callModel, fusedSignature, type TransitionOutput } from "../../models/mod.ts";
import { count, startSpending } from "../../turn/mod.ts";
import { type CallState, expanded, modelOptions } from "../call/mod.ts";
import { historyOf, keepFusedReply, startReplyAhead } from "../reply/mod.ts";
import { askForTransition } from "./ask_transition.ts";
import { type Offer, pickedOffer } from "./offers.ts";

/** Asks the model for a transition after the caller has spoken, according to the turn mode. */
export async function decide(state: CallState, node: AgentNode, offers: readonly Offer[]): Promise<TransitionOutput> {
  if (state.turnMode === "fused" && canFuse(candidatesOf(state, node, offers)))
    return await decideAndSpeak(state, node, offers);
  if (state.turnMode === "speculative" && !(isStatic(node) && !state.spokenHere))
    return await decideAhead(state, node, offers);
  return await askForTransition(state, node, offers, state.transcript.slice(state.enteredAt));
}

/**
 * Requests the current node's reply while the transition is being decided. A replayed decision takes no time, so no
 * reply is requested with it.
 */
async function decideAhead(state: CallState, node: AgentNode, offers: readonly Offer[]): Promise<TransitionOutput> {
  const history = state.transcript.slice(state.enteredAt);
  if (!state.calls.around) {
    await startReplyAhead(state, node);
    return await askForTransition(state, node, offers, history);
  }
  let request = () => {};
  const isRequested = new Promise<boolean>((resolve) => {
    request = () => resolve(true);
  });
  const decision = askForTransition(state, node, offers, history, request);
  if (await Promise.race([isRequested, decision.then(() => false)])) await startReplyAhead(state, node);
  return await decision;
}

/** The nodes that may speak next. */
function candidatesOf(state: CallState, node: AgentNode, offers: readonly Offer[]): readonly AgentNode[] {
  return [node, ...offers.flatMap(({ target }) => own(state.graph.nodes, target) ?? [])];
}

async function decideAndSpeak(state: CallState, node: AgentNode, offers: readonly Offer[]): Promise<TransitionOutput> {
  const spent = startSpending(state.calls.clock.now);
  const options = modelOptions(state);
  const answer = await callModel(
    await state.agent(),
    fusedSignature,
    {
      general_instructions: expanded(state, state.graph.source_metadata.general_prompt),
      current_state_prompt: expanded(state, node.state_prompt),
      conversation_history: historyOf(state.transcript),
      state_history: historyOf(state.transcript.slice(state.enteredAt)),
      available_transitions: offers.map((offer) => ({ ...offer, instructions: instructionsOf(state, offer.target) })),
    },
    {
      ...options,
      onUsage: (usage) => {
        count(spent, usage);
        options.onUsage(usage);
      },
    },
  );
  const picked = answer.objectives_complete ? pickedOffer(offers, answer.transition_to) : undefined;
  const next = picked ? own(state.graph.nodes, picked.target) : node;
  // a silent node may lead to any node, so a reply written for it could be for the wrong one
  if (next && canSpeakNext(next)) keepFusedReply(state, next.id, answer.reply, spent);
  return answer;
}

function instructionsOf(state: CallState, target: string): string {
  const node = own(state.graph.nodes, target);
  return node && node.node_type !== "extract" && node.node_type !== "function"
    ? expanded(state, node.state_prompt)
    : "";
}
