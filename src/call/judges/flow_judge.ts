import { defined, isRecord, own } from "../../base/values/mod.ts";
import { clauseWords, expandPrompt, textOf } from "../../document/expressions/mod.ts";
import {
  type AgentGraph,
  type AgentNode,
  foundTarget,
  isSilent,
  type TransitionCondition,
} from "../../document/graph/mod.ts";
import { DEFAULT_THRESHOLD } from "../../document/scenario/mod.ts";
import type { FlowStep, Message, Verdict } from "../../document/transcript/mod.ts";
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
} from "../models/mod.ts";
import { evidenceText, findEvidence } from "./evidence.ts";
import { type JudgedCall, joinVotes } from "./metric.ts";

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

type Way = FlowInput["nodes"][number]["transitions"][number];

/** Records of tool results and extracted values; the model's other records would reveal its decisions. */
const SHOWN_RECORDS: readonly unknown[] = ["tool_call", "extraction"];

/**
 * Describes a call and its path for the flow judge. Steps with a choice are numbered from 1.
 *
 * @param steps Of {@link JudgedCall.transcript}, in order.
 */
function flowInput(graph: AgentGraph, call: JudgedCall, steps: readonly JudgedStep[]): FlowInput {
  const { snippets } = graph;
  const expand = (text: string) => expandPrompt(text, { snippets, variables: call.variables });
  const chosenAt = new Set(steps.filter(({ isChoice }) => isChoice).map(({ node }) => node));
  const nodes = [...chosenAt].flatMap((id) => own(graph.nodes, id) ?? []);
  return {
    nodes: nodes.map((node) => ({
      id: node.id,
      node_type: node.node_type,
      prompt: expand(node.state_prompt),
      transitions: [...ownWays(node, expand), ...waysBackTo(node, steps, expand)],
    })),
    global_nodes: globalNodes(graph).map(({ id, global_node_setting: setting }) => ({
      target: id,
      condition: expand(setting?.condition ?? ""),
    })),
    call: callWithSteps(call, steps),
  };
}

function callWithSteps({ transcript }: JudgedCall, steps: readonly JudgedStep[]): FlowInput["call"] {
  let number = 0;
  return transcript.flatMap(({ role, content, metadata }, index): FlowInput["call"] => {
    const isHidden = role === "system" || (role === "tool" && !SHOWN_RECORDS.includes(metadata.kind));
    const line = isHidden ? [] : [{ role, content }];
    const taken = steps
      .filter(({ after }) => after === index)
      .map(({ node, to = NO_TRANSITION, because, isChoice }) => ({
        step: isChoice ? ++number : null,
        at: node,
        took: to,
        because,
      }));
    return [...line, ...taken];
  });
}

function ownWays({ transitions }: AgentNode, expand: (text: string) => string): readonly Way[] {
  return transitions.map(({ target_node_id: target, condition }) => ({
    target,
    condition: expand(judgedCondition(condition)),
    condition_type: condition.type,
  }));
}

/** The go-backs of a global node, to each node from which the call entered it. */
function waysBackTo(
  { id, global_node_setting: setting }: AgentNode,
  steps: readonly JudgedStep[],
  expand: (text: string) => string,
): readonly Way[] {
  const entered = new Set(steps.filter(({ to, node }) => to === id && node !== id).map(({ node }) => node));
  return (setting?.go_back_conditions ?? []).flatMap(({ condition }) =>
    [...entered].map((target) => ({
      target,
      condition: expand(judgedCondition(condition)),
      condition_type: "go_back" as const,
    })),
  );
}

function judgedCondition({ type, value, equations, logical_operator: operator, outcome }: TransitionCondition): string {
  if (type === "always") return "no other condition is met";
  if (type === "tool_call") return outcome ? `the tool ${outcome}` : "the tool has been called";
  if (type === "llm_prompt") return value ?? "";
  const clauses = (equations ?? []).map(({ left, operator: compares, right }) =>
    clauseWords(left, compares, textOf(right) ?? ""),
  );
  return clauses.join(operator === "or" ? " or " : " and ");
}

/** One step of a path: a transition, or a turn after which the call stayed at its node. */
export interface JudgedStep {
  /** Index of the message after which the step was taken. */
  readonly after: number;
  /** The caller's messages so far. */
  readonly turn: number;
  readonly node: string;
  /** `undefined`: the call stayed. */
  readonly to: string | undefined;
  /** The reason if no model decided; else empty. */
  readonly because: string;
  /** Whether the call had an alternative. */
  readonly isChoice: boolean;
}

/**
 * Lists the steps of a call's path, by the transitions in its transcript. A caller's message after which the agent spoke
 * without a transition is a step that stayed.
 */
function pathSteps(graph: AgentGraph, transcript: readonly Message[]): readonly JudgedStep[] {
  const steps: JudgedStep[] = [];
  let turn = 0;
  let heardAt: string | undefined;
  for (const [index, message] of transcript.entries()) {
    const { role, node_id: id, metadata } = message;
    if (role === "user") {
      turn += 1;
      heardAt = id;
    }
    if (metadata.kind === "transition") {
      heardAt = undefined;
      steps.push(moveOf(graph, message, { after: index, turn }));
    }
    if (role === "assistant" && heardAt !== undefined) {
      const isChoice = othersAt(graph, heardAt, undefined) > 0;
      steps.push({ after: index - 1, turn, node: heardAt, to: undefined, because: "", isChoice });
      heardAt = undefined;
    }
  }
  return steps;
}

/** The nodes that can be entered from every conversation node. */
function globalNodes({ nodes }: AgentGraph): readonly AgentNode[] {
  return Object.values(nodes).filter(({ global_node_setting: setting }) => setting);
}

/** Whether calls on the graph ever have a choice between several transitions. */
export function hasChoices(graph: AgentGraph): boolean {
  return Object.keys(graph.nodes).some((id) => othersAt(graph, id, undefined) > 0);
}

function moveOf(
  graph: AgentGraph,
  { node_id, metadata }: Message,
  place: Pick<JudgedStep, "after" | "turn">,
): JudgedStep {
  const node = typeof metadata.from === "string" ? metadata.from : node_id;
  const to = String(metadata.to);
  const { transitions = [] } = own(graph.nodes, node) ?? {};
  const taken = Array.isArray(metadata.ways)
    ? metadata.ways.flatMap((way) => (isRecord(way) ? transitions[Number(way.transition)] : undefined) ?? [])
    : transitions.filter(({ target_node_id: target }) => target === to);
  const isFree = taken.length > 0 && taken.every(({ condition }) => condition.type !== "llm_prompt");
  const isAutomatic = isFree && taken.every(({ condition: { type } }) => type === "always" || type === "tool_call");
  const isDecided = metadata.decision !== undefined || !(isFree || typeof metadata.because === "string");
  const others = othersAt(graph, node, to);
  return {
    ...place,
    node,
    to,
    because: isDecided ? "" : typeof metadata.because === "string" ? metadata.because : "an equation or a fixed way",
    isChoice: isAutomatic ? others > 0 && transitions.length > 1 : others > 0 || canStay(graph, node),
  };
}

/** Number of nodes other than `to` to which a call can go from a node. */
function othersAt(graph: AgentGraph, id: string, to: string | undefined): number {
  const node = own(graph.nodes, id);
  if (!node) return 0;
  const backs = node.global_node_setting?.go_back_conditions?.length ?? 0;
  const targets = new Set(node.transitions.map(({ target_node_id: target }) => target));
  if (node.node_type === "conversation") for (const { id: entry } of globalNodes(graph)) targets.add(entry);
  for (const none of [id, to]) if (none !== undefined) targets.delete(none);
  return targets.size + backs;
}

function canStay({ nodes }: AgentGraph, id: string): boolean {
  const node = own(nodes, id);
  return node !== undefined && !isSilent(node);
}
