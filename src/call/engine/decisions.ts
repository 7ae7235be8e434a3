import { own, quotedList } from "../../base/values/mod.ts";
import { clauseVariables, equationText, evaluateClauses } from "../../document/expressions/mod.ts";
import {
  type AgentNode,
  canFuse,
  canSpeakNext,
  foldedTarget,
  foundTarget,
  isStatic,
  MOST_HOPS,
  type Transition,
  type TransitionCondition,
  waysAfterHearing,
  waysBack,
} from "../../document/graph/mod.ts";
import type { Message, RecordedMove } from "../../document/transcript/mod.ts";
import {
  callModel,
  fusedSignature,
  NO_TRANSITION,
  type TransitionInput,
  type TransitionOutput,
  transitionSignature,
} from "../models/mod.ts";
import { count, startSpending } from "../turn/mod.ts";
import { type CallState, end, evaluatedMetadata, expanded, isSpent, modelOptions, record, timed } from "./call/mod.ts";
import { dropReplyAhead, historyOf, keepFusedReply, lastIndexOf, startReplyAhead } from "./reply.ts";

/**
 * Takes a transition after the caller has spoken: the first equation that is true, without a model call; else the
 * model's pick of all offers; else the `else` transition.
 *
 * @returns Whether a transition was taken.
 */
export async function chooseAfterHearing(state: CallState, node: AgentNode): Promise<boolean> {
  const equation = holdingEquation(state, node);
  if (equation) return moveTo(state, equation.target, equation.because);

  const { offered, otherwise } = waysAfterHearing(node);
  const offers = [...ownOffers(state, offered), ...globalOffers(state, node), ...goBackOffers(state, node)];
  if (offers.length > 0) {
    if (isSpent(state)) return false;
    const answer = await timed(state, "transition", () => decide(state, node, offers));
    const picked = answer.objectives_complete ? pickedOffer(offers, answer.transition_to) : undefined;
    if (picked) {
      const ways = pickedWays(state, node, offered, picked.target);
      return moveTo(state, picked.target, { text: picked.condition, ways, decision: answer });
    }
    if (!state.endReason) recordNoPick(state, offers, answer);
    if (!answer.objectives_complete) return false;
  }
  if (!otherwise && offers.length === 0) recordNoEquation(state, node);
  if (!otherwise) return false;
  const because = { text: "no other condition is met", ways: [wayOf(node, otherwise)] };
  return moveTo(state, otherwise.target_node_id, because);
}

/** Returns the target of the first equation that is true: the node's transitions first, then its go-back conditions. */
function holdingEquation(state: CallState, node: AgentNode): { target: string; because: Because } | undefined {
  const { withoutModel: free } = waysAfterHearing(node);
  const originator = state.originators.at(-1);
  const backs = originator === undefined ? [] : waysBack(node).withoutModel;
  if (free.length === 0 && backs.length === 0) return undefined;
  const variables = Object.fromEntries(state.variables);
  for (const transition of free) {
    const { condition, target_node_id: target } = transition;
    const way = wayOf(node, transition);
    if (holdsNoted(state, way, condition, variables))
      return { target, because: { text: equationText(condition, variables), ways: [way] } };
  }
  if (originator === undefined) return undefined;
  const conditions = node.global_node_setting?.go_back_conditions ?? [];
  for (const back of backs) {
    const way = { go_back: conditions.indexOf(back) };
    if (holdsNoted(state, way, back.condition, variables))
      return { target: originator, because: { text: equationText(back.condition, variables), ways: [way] } };
  }
  return undefined;
}

/** Offers that go back from a global node to the node from which it was entered. */
function goBackOffers(state: CallState, node: AgentNode): Offer[] {
  const originator = state.originators.at(-1);
  if (originator === undefined) return [];
  return waysBack(node).offered.map(({ condition }) => ({
    target: originator,
    condition: expanded(state, condition.value),
    condition_type: "go_back",
    description: "",
  }));
}

/** Asks the model for a transition after the caller has spoken, according to the turn mode. */
async function decide(state: CallState, node: AgentNode, offers: readonly Offer[]): Promise<TransitionOutput> {
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

/** A transition of a node, as records store it. */
export function wayOf(node: AgentNode, transition: Transition): { readonly transition: number } {
  return { transition: node.transitions.indexOf(transition) };
}

/** Evaluates an equation condition, and notes its clauses for the next record of a transition or decision. */
export function holdsNoted(
  state: CallState,
  way: { readonly transition: number } | { readonly go_back: number },
  condition: TransitionCondition,
  variables: { readonly [name: string]: string },
): boolean {
  const { holds, clauses } = evaluateClauses(condition, variables);
  if (clauses.length > 0) state.evaluated = [...state.evaluated, { ...way, clauses }];
  return holds;
}

/**
 * The transitions that the model chose. It names a node, so all offered conditions that lead there count: the
 * node's own, else the entry of a global node; and go-back conditions, if the call came from that node.
 */
function pickedWays(
  state: CallState,
  node: AgentNode,
  offered: readonly Transition[],
  target: string,
): readonly RecordedMove[] {
  const direct = offered.filter(({ target_node_id: to }) => to === target).map((each) => wayOf(node, each));
  const isEntered = direct.length === 0 && target !== node.id && own(state.graph.nodes, target)?.global_node_setting;
  const conditions = node.global_node_setting?.go_back_conditions ?? [];
  const backs = state.originators.at(-1) === target ? waysBack(node).offered : [];
  return [
    ...direct,
    ...(isEntered ? [{ global: true } as const] : []),
    ...backs.map((each) => ({ go_back: conditions.indexOf(each) })),
  ];
}

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
function isGlobal(state: CallState, id: string): boolean {
  return Boolean(own(state.graph.nodes, id)?.global_node_setting);
}

/** Why a transition was taken, with the model's decision if there was one. */
export interface Because {
  readonly text: string;
  /** Several where the model picked a node to which several of its offers lead. */
  readonly ways: readonly RecordedMove[];
  readonly decision?: TransitionOutput;
}

/** A decision as metadata of a `tool` message. */
function decisionMetadata(decision: TransitionOutput | undefined): Message["metadata"] {
  return decision ? { decision } : {};
}

/** Returns the model's reasoning as a suffix for a message; empty when there is none. */
function reasoningText(decision: TransitionOutput | undefined): string {
  const reasoning = decision?.reasoning?.replace(/\s+/g, " ").trim();
  return reasoning ? `; reasoning: ${reasoning}` : "";
}

/** Records that the model picked none of the offered transitions, and why. */
export function recordNoPick(state: CallState, offers: readonly Offer[], decision: TransitionOutput): void {
  const { objectives_complete: complete, transition_to: pick } = decision;
  const targets = [...new Set(offers.map(({ target }) => target))];
  const isNone = [NO_TRANSITION, ...(complete ? [] : [""])].includes(foldedTarget(pick));
  const offered = quotedList(targets);
  if (!isNone && !pickedOffer(offers, pick)) {
    const text = `no transition taken: unusable answer: the model picks "${pick}", which was not offered; offered: ${offered}`;
    record(state, "tool", text + reasoningText(decision), {
      kind: "unusable_answer",
      signature: "transition",
      offered: targets,
      ...evaluatedMetadata(state),
      ...decisionMetadata(decision),
    });
    return;
  }
  const why = complete ? `the model picks none of ${offered}` : "the objectives are not complete";
  record(state, "tool", `no transition taken: ${why}${reasoningText(decision)}`, {
    kind: "decision",
    offered: targets,
    ...evaluatedMetadata(state),
    ...decisionMetadata(decision),
  });
}

/** Records that no equation of the node is true, go-back conditions included, with the values of its variables. */
export function recordNoEquation(state: CallState, node: AgentNode): void {
  const variables = Object.fromEntries(state.variables);
  const originator = state.originators.at(-1);
  const backs = originator === undefined ? [] : waysBack(node).withoutModel;
  const equations = [
    ...node.transitions.filter(({ condition }) => condition.type === "equation"),
    ...backs.map(({ condition }) => ({ condition, target_node_id: originator ?? "" })),
  ];
  if (equations.length === 0) return;
  const conditions = equations.map(({ condition }) => condition);
  const texts = equations.map(
    ({ condition, target_node_id: target }) => `${equationText(condition, variables)} -> ${target}`,
  );
  const text = `no transition taken: no equation holds: ${texts.join("; ")}`;
  record(state, "tool", text, {
    kind: "decision",
    variables: valuesOf(conditions, variables),
    ...evaluatedMetadata(state),
  });
}

/** The values of the variables in conditions. */
function valuesOf(
  conditions: readonly TransitionCondition[],
  variables: { readonly [name: string]: string },
): { [name: string]: string | null } {
  const names = conditions.flatMap(({ equations }) => (equations ?? []).flatMap(clauseVariables));
  return Object.fromEntries([...new Set(names)].map((name) => [name, own(variables, name) ?? null]));
}

/** A transition that the model can pick. */
export type Offer = TransitionInput["available_transitions"][number];

/** LLM transitions of a node, in order. */
export function ownOffers(state: CallState, transitions: readonly Transition[]): Offer[] {
  return transitions.map((transition) => ({
    target: transition.target_node_id,
    condition: expanded(state, transition.condition.value),
    condition_type: "llm_prompt",
    description: expanded(state, transition.description),
  }));
}

/** The other global nodes, in the order of the graph. */
function globalOffers(state: CallState, node: AgentNode): Offer[] {
  return Object.entries(state.graph.nodes).flatMap(([id, { global_node_setting: setting }]) =>
    setting && id !== node.id
      ? [
          {
            target: id,
            condition: expanded(state, setting.condition),
            condition_type: "global" as const,
            description: "",
          },
        ]
      : [],
  );
}

/** Returns the offer whose target an answer names. */
export function pickedOffer(offers: readonly Offer[], answer: string): Offer | undefined {
  const target = foundTarget(
    offers.map((offer) => offer.target),
    answer,
  );
  return offers.find((offer) => offer.target === target);
}
