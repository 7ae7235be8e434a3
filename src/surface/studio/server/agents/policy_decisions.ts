import {
  type CallPath,
  checkPolicies,
  type PathStep,
  ruleText,
  unknownNames,
  visitedNodes,
} from "../../../../agent/analysis/mod.ts";
import { transitionLabel } from "../../../../agent/pictures/mod.ts";
import { createRedactor } from "../../../../base/redaction/mod.ts";
import { own } from "../../../../base/values/mod.ts";
import { type AgentGraph, nodeNames } from "../../../../document/graph/mod.ts";
import type { Policy, Scenario } from "../../../../document/scenario/mod.ts";
import type { StudioPolicyDecision, StudioPolicyStep } from "../../api/mod.ts";

/**
 * Decides policies on every path of a graph, with the counterexamples in words, without secrets. A search may take a
 * minute, so only processes of their own call this.
 */
export function policyDecisions(graph: AgentGraph, policies: readonly Policy[]): readonly StudioPolicyDecision[] {
  const names = nodeNames(graph);
  const nameOf = (id: string) => names.of(id);
  const decided = policies.map((policy): StudioPolicyDecision => {
    const open = undecided(policy.name);
    const problems = unknownNames(graph, policy).map((each) => ({ ...each, path: [...each.path] }));
    if (problems.length > 0) return { ...open, problems, reason: "it names what the agent does not have" };
    if (!own(graph.nodes, graph.entry_node_id)) return { ...open, reason: "the agent has no node where calls begin" };
    const [answer] = checkPolicies(graph, [policy]);
    if (!answer || answer.verdict === "holds") return { ...open, verdict: "holds" };
    const rule = ruleText(answer.rule, nameOf);
    if (answer.verdict === "unknown") return { ...open, rule, reason: answer.reason };
    const { path, scenario } = answer;
    const counterexample = {
      visits: [...visitedNodes(path)],
      variables: { ...path.variables },
      steps: stepsOf(graph, path, scenario, nameOf),
      scenario: { ...scenario },
    };
    return { ...open, verdict: "broken", rule, counterexample };
  });
  return createRedactor().value(decided);
}

/** A policy without a decision. */
export function undecided(name: string): StudioPolicyDecision {
  return { name, verdict: "unknown", rule: null, reason: null, problems: [], counterexample: null };
}

type NameOf = (node: string) => string;

function stepsOf(graph: AgentGraph, path: CallPath, scenario: Scenario, nameOf: NameOf): StudioPolicyStep[] {
  const lines = (scenario.offline_path ?? []).flatMap(({ says }) => (says === undefined ? [] : [says]));
  let heard = 0;
  return path.steps.flatMap((step, index): StudioPolicyStep[] => {
    const { kind } = step;
    if (kind === "decide" && step.target !== undefined && path.steps[index + 1]?.kind === "move") return []; // the move says it
    const node = kind === "move" ? step.to : step.node;
    const words = kind === "hear" ? heardWords(lines[heard++]) : wordsOf(graph, step, path, nameOf);
    if (kind !== "move") return [{ kind, node, words, move: null }];
    const { from, by, transition = null, goBack = null } = step;
    return [{ kind, node, words, move: { from, by, transition, goBack } }];
  });
}

function heardWords(line: string | null | undefined): string {
  return line ? `The caller says: ${line}` : "The caller says something";
}

function wordsOf(
  graph: AgentGraph,
  step: Exclude<PathStep, { kind: "hear" }>,
  { variables }: CallPath,
  nameOf: NameOf,
): string {
  const name = nameOf(step.kind === "move" ? step.to : step.node);
  switch (step.kind) {
    case "open": {
      const given = Object.entries(variables).map(([variable, value]) => `${variable} = ${JSON.stringify(value)}`);
      return `The call begins at ${name}${given.length > 0 ? ` with ${given.join(", ")}` : ""}`;
    }
    case "decide":
      return step.target === undefined
        ? `The model takes no way out of ${name}`
        : `The model decides for ${nameOf(step.target)}`;
    case "extract":
      return `${name} finds ${Object.entries(step.values).map(foundWords).join(", ") || "nothing"}`;
    case "tool":
      return `Tool ${step.tool} ${step.outcome === "succeeded" ? "answers" : "fails"}: ${valueText(step.result)}`;
    case "transfer":
      return step.outcome === "succeeded" ? `The transfer at ${name} goes through` : `The transfer at ${name} fails`;
    case "speak":
      return `The agent speaks at ${name}`;
    case "move":
      return `${nameOf(step.from)} → ${name}, because ${causeWords(graph, step)}`;
    case "end":
      return `The call ends at ${name}: ${step.reason}`;
  }
}

function foundWords([variable, value]: readonly [string, string | null]): string {
  return value === null ? `no ${variable}` : `${variable} = ${JSON.stringify(value)}`;
}

/** Longest result of a tool that is shown, in characters. */
const LONGEST = 200;

function valueText(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

function causeWords(graph: AgentGraph, step: Extract<PathStep, { kind: "move" }>): string {
  const from = own(graph.nodes, step.from);
  const transition = from?.transitions[step.transition ?? -1];
  if (transition && from) return transitionLabel(transition, from) || "nothing stands in the way";
  if (step.by === "transfer-failed") return "the transfer failed";
  if (step.by === "global") return own(graph.nodes, step.to)?.global_node_setting?.condition || "it is a global node";
  const goBack = from?.global_node_setting?.go_back_conditions[step.goBack ?? -1];
  return goBack?.condition.value || "the call goes back to where the caller was";
}
