import { oneLine, own } from "../../../base/values/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";
import { conditionText, wholeClauseText } from "../facts/mod.ts";
import type { CallPath, EvaluatedClause, PathStep } from "../paths/mod.ts";
import { conditionsTo } from "../play/mod.ts";

/** Describes a path, one sentence per step: what the caller says, what is extracted, where the call goes. */
export function pathWords(graph: AgentGraph, { variables, steps }: CallPath): readonly string[] {
  const given = Object.entries(variables).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  const start = `The call starts at ${graph.entry_node_id}${given.length > 0 ? ` with ${given.join(", ")}` : ""}`;
  return [start, ...steps.flatMap((step, index) => sentencesOf(graph, step, steps[index + 1]))];
}

/** The last sentence of a path whose goal is the value of a clause. */
export function clauseSentence(graph: AgentGraph, { node: id, of, index, clause, isTrue }: EvaluatedClause): string {
  const node = own(graph.nodes, id);
  const condition =
    of === "transition"
      ? node?.transitions[index]?.condition
      : node?.global_node_setting?.go_back_conditions[index]?.condition;
  const equation = condition?.equations?.[clause];
  return `There ${equation ? wholeClauseText(equation) : "the equation"} is ${isTrue}`;
}

function sentencesOf(graph: AgentGraph, step: PathStep, next: PathStep | undefined): readonly string[] {
  switch (step.kind) {
    case "hear":
      return next?.kind === "decide" ? [] : [`The caller speaks at ${step.node}`];
    case "decide":
      return [decisionWords(graph, step)];
    case "extract":
      return [extractionWords(step)];
    case "tool":
      return [toolWords(step)];
    case "move":
      return moveWords(graph, step);
    default:
      return [];
  }
}

function decisionWords(graph: AgentGraph, { node: id, target }: Extract<PathStep, { kind: "decide" }>): string {
  const node = own(graph.nodes, id);
  if (target === undefined || !node) return `At ${id} the model picks no transition`;
  const [condition = ""] = conditionsTo(graph, node, target);
  return condition.trim() === ""
    ? `At ${id} the model picks ${target}`
    : `At ${id} this is true: "${oneLine(condition)}", so the model picks ${target}`;
}

function extractionWords({ node, values }: Extract<PathStep, { kind: "extract" }>): string {
  const found = Object.entries(values).map(([name, value]) =>
    value === null ? `no ${name}` : `${name} = ${JSON.stringify(value)}`,
  );
  return found.length === 0 ? `${node} extracts any values` : `${node} extracts ${found.join(", ")}`;
}

function toolWords({ node, tool, outcome, variables }: Extract<PathStep, { kind: "tool" }>): string {
  const set = Object.entries(variables).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  const end = outcome === "failed" ? "fails" : "succeeds";
  return `Tool ${tool} ${end} at ${node}${set.length > 0 ? ` and sets ${set.join(", ")}` : ""}`;
}

function moveWords(graph: AgentGraph, step: Extract<PathStep, { kind: "move" }>): readonly string[] {
  const { from, to, by, transition, goBack } = step;
  const node = own(graph.nodes, from);
  switch (by) {
    case "model":
    case "global":
      return []; // the sentence of the decision names the target
    case "equation": {
      const condition = transition === undefined ? undefined : node?.transitions[transition]?.condition;
      return [`${condition ? conditionText(condition) : "An equation"} leads to ${to}`];
    }
    case "go-back": {
      const back = goBack === undefined ? undefined : node?.global_node_setting?.go_back_conditions[goBack];
      return back?.condition.type === "equation" ? [`${conditionText(back.condition)} leads back to ${to}`] : [];
    }
    case "transfer-failed":
      return [`The transfer at ${from} fails, which leads to ${to}`];
    default:
      return [`The call continues at ${to}`];
  }
}
