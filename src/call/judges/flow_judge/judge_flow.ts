import { defined } from "../../../base/values/mod.ts";
import { type AgentGraph, foundTarget } from "../../../document/graph/mod.ts";
import { DEFAULT_THRESHOLD } from "../../../document/scenario/mod.ts";
import type { FlowStep, Verdict } from "../../../document/transcript/mod.ts";
import {
  type CallOptions,
  callModel,
  type FlowInput,
  type FlowOutput,
  flowSignature,
  type Model,
  NO_TRANSITION,
  type Quotation,
  targetsAt,
} from "../../models/mod.ts";
import { evidenceText, findEvidence } from "../evidence.ts";
import type { JudgedCall } from "../judged_call.ts";
import { joinVotes } from "../panel.ts";
import { flowInput } from "./flow_input.ts";
import { type JudgedStep, pathSteps } from "./path_steps.ts";

/** The criterion of the flow judge's verdict. */
export const FLOW_CRITERION = "The call took the right path";
const REQUIREMENT =
  "After each message the call must take the transition whose condition the conversation meets, and stay where none is met";
/** Maximum number of quotations for a right path; for a wrong path, those of all wrong steps are shown. */
const MOST_QUOTES = 3;

/** Settings of the flow judge. */
export interface FlowJudgement {
  /** Lowest score that passes, above 0 and up to 1. Default: 0.7. */
  readonly threshold?: number;
  /** Number of judges; the majority decides. Default: 1. */
  readonly panel?: number;
}

/**
 * Judges whether a call took the right path through the graph, given what was said: each transition, and each turn after
 * which the call stayed at a node. Equations and fixed transitions count if there was an alternative, because a value can be
 * extracted wrongly. Nodes that the graph does not have are not judged.
 *
 * @returns One verdict, with the `steps`; `undefined` for a call without any choice, without asking a model.
 * @throws {ModelError} `model-output` when the answer does not judge each step once, or contradicts itself.
 */
export async function judgeFlow(
  graph: AgentGraph,
  call: JudgedCall,
  {
    threshold = DEFAULT_THRESHOLD,
    panel = 1,
    model,
    ...options
  }: CallOptions & FlowJudgement & { readonly model: Model },
): Promise<Verdict | undefined> {
  const steps = pathSteps(graph, call.transcript);
  const chosen = steps.filter(({ isChoice }) => isChoice);
  if (chosen.length === 0) return undefined;
  const input = flowInput(graph, call, steps);
  const votes: Verdict[] = [];
  for (let judge = 1; judge <= panel; judge += 1)
    votes.push(verdictOf(await callModel(model, flowSignature, input, options), { input, chosen, call, threshold }));
  return joinVotes(votes);
}

interface Judged {
  readonly input: FlowInput;
  /** The numbered steps. */
  readonly chosen: readonly JudgedStep[];
  readonly call: JudgedCall;
  readonly threshold: number;
}

function verdictOf(answer: FlowOutput, { input, chosen, call, threshold }: Judged): Verdict {
  const judged = chosen.map((step, index) => {
    const found = answer.steps.find((each) => each.step === index + 1);
    if (!found) throw new TypeError("unreachable: the flow signature rejects answers without a step");
    return { ...found, step: flowStep(step, found, targetsAt(input, step.node)) };
  });
  const wrong = judged.filter(({ right }) => !right);
  const quoted = (wrong.length > 0 ? wrong : judged)
    .map(({ evidence }) => evidence)
    .filter(({ quote }) => quote.trim() !== "");
  const shown = wrong.length > 0 ? quoted : quoted.slice(0, MOST_QUOTES);
  const passed = answer.score >= threshold;
  return {
    criterion: FLOW_CRITERION,
    requirement: REQUIREMENT,
    evidence: evidenceText(shown),
    ...foundIn(shown, call, passed),
    reasoning: [answer.reasoning.trim(), ...wrong.map(({ step }) => wrongStepSentence(step))].join(" ").trim(),
    score: answer.score,
    ...defined({ confidence: answer.confidence }),
    threshold,
    passed,
    steps: judged.map(({ step }) => step),
  };
}

function flowStep(
  { turn, node, to }: JudgedStep,
  { right, should_have_taken, evidence: { quote }, reasoning }: FlowOutput["steps"][number],
  targets: readonly string[],
): FlowStep {
  const target = foundTarget(targets, should_have_taken) ?? NO_TRANSITION;
  const instead = right ? {} : { instead: target === NO_TRANSITION ? null : target };
  return { turn, node, took: to ?? null, right, ...instead, quote, reasoning };
}

/** A wrong step in one sentence. */
function wrongStepSentence({ turn, node, took, instead, reasoning }: FlowStep): string {
  const place = turn === 0 ? "In the opening" : `In turn ${turn}`;
  const went = took === null ? `stayed at "${node}"` : `went from "${node}" to "${took}"`;
  const right = instead === null ? `stayed at "${node}"` : `gone to "${instead}"`;
  return `${place} the call ${went} and should have ${right}: ${reasoning.trim()}`;
}

/** Whether the evidence was said. A path that goes through the opening alone has nothing to quote. */
function foundIn(
  quoted: readonly Quotation[],
  { transcript }: JudgedCall,
  passed: boolean,
): Pick<Verdict, "evidenceFound"> {
  if (quoted.length > 0) return { evidenceFound: findEvidence(quoted, transcript) !== undefined };
  return passed && transcript.some(({ role }) => role === "user") ? { evidenceFound: false } : {};
}
