import type { Path } from "../../errors.ts";
import { bareName, equationProblem, isPlatformVariable } from "../../expressions/mod.ts";
import type { AgentGraph, Finding, TransitionCondition } from "../../graph/mod.ts";
import { didYouMean } from "../../values/mod.ts";
import { conditionsOf, knownVariables } from "../facts/mod.ts";

/** Findings for empty conditions, and for equations that can never work. */
export function conditionFindings(graph: AgentGraph): Finding[] {
  const variables = knownVariables(graph);
  return Object.entries(graph.nodes).flatMap(([id, node]) =>
    conditionsOf(id, node).flatMap(([path, condition]): Finding[] => {
      if (isEmpty(condition)) return [emptyCondition(path)];
      return (condition.equations ?? []).flatMap((clause, index): Finding[] => {
        const at = [...path, "equations", index];
        const left = bareName(clause.left);
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

function isEmpty({ type, value, equations }: TransitionCondition): boolean {
  if (type === "llm_prompt") return value.trim() === "";
  return type === "equation" && (equations ?? []).length === 0;
}

function emptyCondition(path: Path): Finding {
  return {
    code: "empty-condition",
    severity: "warning",
    path,
    message: "the condition is empty, so the model decides at random",
    hint: "Write when it applies, or make it an always transition",
  };
}
