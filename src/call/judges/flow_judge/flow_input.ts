import { own } from "../../../base/values/mod.ts";
import { clauseWords, expandPrompt, textOf } from "../../../document/expressions/mod.ts";
import type { AgentGraph, AgentNode, TransitionCondition } from "../../../document/graph/mod.ts";
import { type FlowInput, NO_TRANSITION } from "../../models/mod.ts";
import type { JudgedCall } from "../judged_call.ts";
import { globalNodes, type JudgedStep } from "./path_steps.ts";

type Way = FlowInput["nodes"][number]["transitions"][number];

/** Records of tool results and extracted values; the model's other records would reveal its decisions. */
const SHOWN_RECORDS: readonly unknown[] = ["tool_call", "extraction"];

/**
 * Describes a call and its path for the flow judge. Steps with a choice are numbered from 1.
 *
 * @param steps Of {@link JudgedCall.transcript}, in order.
 */
export function flowInput(graph: AgentGraph, call: JudgedCall, steps: readonly JudgedStep[]): FlowInput {
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
