import type { Path } from "../errors.ts";
import {
  type AgentGraph,
  type AgentNode,
  bare,
  didYouMean,
  equationProblem,
  type Finding,
  isPlatformVariable,
  type TransitionCondition,
} from "../graph/mod.ts";
import { knownVariables } from "./known_variables.ts";

/** Conditions that are empty, and equations that can never do what they say. */
export function conditionFindings(graph: AgentGraph): Finding[] {
  const variables = knownVariables(graph);
  return Object.entries(graph.nodes).flatMap(([id, node]) =>
    conditionsOf(id, node).flatMap(([path, condition]): Finding[] => {
      if (isEmpty(condition)) return [emptyCondition(path)];
      return (condition.equations ?? []).flatMap((clause, index): Finding[] => {
        const at = [...path, "equations", index];
        const left = bare(clause.left);
        const problem = equationProblem(clause, variables);
        const found: Finding[] = problem ? [{ ...problem, severity: "error", path: at }] : [];
        if (variables.has(left) || isPlatformVariable(left)) return found;
        const hint = didYouMean(left, variables.keys(), `Give "${left}" to every call, or extract it first`);
        const message = `nothing in the graph fills "${left}", which an equation compares`;
        return [...found, { code: "unknown-variable", severity: "warning", path: at, message, hint }];
      });
    }),
  );
}

function conditionsOf(id: string, node: AgentNode): readonly (readonly [Path, TransitionCondition])[] {
  const { global_node_setting: setting } = node;
  const at = ["nodes", id, "global_node_setting"];
  return [
    ...node.transitions.map(
      ({ condition }, index) => [["nodes", id, "transitions", index, "condition"], condition] as const,
    ),
    ...(setting ? [[at, { type: "llm_prompt", value: setting.condition }] as const] : []),
    ...(setting?.go_back_conditions ?? []).map(
      ({ condition }, index) => [[...at, "go_back_conditions", index, "condition"], condition] as const,
    ),
  ];
}

function isEmpty({ type, value, equations }: TransitionCondition): boolean {
  if (type === "llm_prompt") return value.trim() === "";
  return type === "equation" && (equations ?? []).length === 0;
}

function emptyCondition(path: Path): Finding {
  return {
    code: "empty-condition",
    severity: "warning",
    path,
    message: "the condition says nothing, so whether it fires is chance",
    hint: "Say when it fires, or make it an always transition",
  };
}
