import { foldedTarget } from "../../../document/graph/mod.ts";
import { type FlowInput, type FlowInputStep, type FlowOutput, NO_TRANSITION } from "../signatures/mod.ts";
import { pickTransition } from "./transition.ts";

/** Low, because shared words say little about meaning. */
const CONFIDENCE = 0.3;

type Entry = FlowInput["call"][number];

/**
 * Judges each step by the rules that pick transitions offline. Steps that no model decided, such as equations, are right.
 * The score is the share of steps that are right.
 */
export function judgeFlowByWords(input: FlowInput): FlowOutput {
  const steps = input.call.flatMap((entry, index) => {
    if (!("took" in entry) || entry.step === null) return [];
    return { ...judgeStep(entry, input.call.slice(0, index), input), step: entry.step };
  });
  const right = steps.filter((step) => step.right).length;
  return {
    steps,
    reasoning: `The offline model only matches words: judged by them, ${right} of ${steps.length} steps are right.`,
    score: steps.length === 0 ? 1 : Math.round((right / steps.length) * 100) / 100,
    confidence: CONFIDENCE,
  };
}

function judgeStep({ at, took, because }: FlowInputStep, before: readonly Entry[], input: FlowInput) {
  const spoken = before.flatMap((entry) => ("role" in entry ? entry : []));
  const heard = spoken.findLast(({ role }) => role === "user")?.content ?? "";
  const evidence = { role: "user" as const, quote: heard };
  const pick = because === "" ? pickAt(at, before, input) : took;
  const right = foldedTarget(pick) === foldedTarget(took);
  const reasoning =
    because === ""
      ? `By its words, the conversation leads ${pick === NO_TRANSITION ? "nowhere" : `to "${pick}"`}`
      : `No model decided it: ${because}`;
  return { evidence, reasoning, right, should_have_taken: pick };
}

function pickAt(at: string, before: readonly Entry[], { nodes, global_nodes: globals }: FlowInput): string {
  const node = nodes.find(({ id }) => id === at);
  const entered = before.findLastIndex((entry) => "took" in entry && entry.took !== NO_TRANSITION);
  const own = (node?.transitions ?? []).flatMap(({ target, condition, condition_type: type }) =>
    type === "llm_prompt" || type === "go_back"
      ? [{ target, condition, condition_type: type, description: "" } as const]
      : [],
  );
  const entries = globals
    .filter(({ target }) => node?.node_type === "conversation" && target !== at)
    .map((each) => ({ ...each, condition_type: "global", description: "" }) as const);
  const spoken = before.flatMap((entry) => ("role" in entry ? entry : []));
  return pickTransition({
    current_state_prompt: node?.prompt ?? "",
    conversation_history: before.slice(entered + 1).flatMap((entry) => ("role" in entry ? entry : [])),
    last_agent_message: spoken.findLast(({ role }) => role === "assistant")?.content ?? "",
    available_transitions: [...own, ...entries],
  }).transition_to;
}
