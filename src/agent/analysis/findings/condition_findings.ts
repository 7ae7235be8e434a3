import type { Path } from "../../../base/errors.ts";
import { didYouMean } from "../../../base/values/mod.ts";
import {
  bareName,
  equationProblem,
  isKnownPlaceholder,
  isPlatformVariable,
  placeholdersIn,
  rightHint,
  rightOf,
} from "../../../document/expressions/mod.ts";
import {
  type AgentGraph,
  type EquationClause,
  type Finding,
  isUnary,
  type TransitionCondition,
  type VariableExtraction,
} from "../../../document/graph/mod.ts";
import { conditionsOf, knownVariables, textsOf, wholeClauseText } from "../facts/mod.ts";

/** Findings for empty conditions, and for equations that can never work. */
export function conditionFindings(graph: AgentGraph): Finding[] {
  const variables = knownVariables(graph);
  const names = namesIn(graph, variables);
  return Object.entries(graph.nodes).flatMap(([id, node]) =>
    conditionsOf(id, node).flatMap(([path, condition]): Finding[] => {
      if (isEmpty(condition)) return [emptyCondition(path)];
      return (condition.equations ?? []).flatMap((clause, index): Finding[] => {
        const at = [...path, "equations", index];
        return [...clauseProblem(clause, at, variables, names), ...unknownVariables(clause, at, variables)];
      });
    }),
  );
}

/** Reports an equation that is never true, or never false; only the cause if its right side was meant as a variable. */
function clauseProblem(
  clause: EquationClause,
  path: Path,
  variables: ReadonlyMap<string, VariableExtraction>,
  names: ReadonlySet<string>,
): readonly Finding[] {
  const { right, operator } = clause;
  const problem = equationProblem(clause, variables);
  const found: Finding[] = problem ? [{ ...problem, severity: "error", path }] : [];
  if (typeof right !== "string" || isUnary(operator) || !names.has(right)) return found;
  const isCause = problem !== undefined && !equationProblem({ ...clause, right: `{{${right}}}` }, variables);
  const isChoice = variables.get(bareName(clause.left))?.choices?.includes(right) === true;
  const message = `${wholeClauseText(clause)} compares with the text "${right}", not with the variable of that name; voicetest and tools like it compare with the variable`;
  const hint = isChoice ? `Rename variable "${right}" if such a tool runs this agent too` : rightHint(right);
  const severity = isCause ? "error" : isChoice ? "info" : "warning";
  return [...(isCause ? [] : found), { code: "right-names-variable", severity, path, message, hint }];
}

/** Names that stand for variables somewhere in a graph: filled, given, compared or read by a text. */
function namesIn(graph: AgentGraph, variables: ReadonlyMap<string, VariableExtraction>): ReadonlySet<string> {
  const compared = Object.entries(graph.nodes).flatMap(([id, node]) =>
    conditionsOf(id, node).flatMap(([, { equations }]) => (equations ?? []).map(({ left }) => bareName(left))),
  );
  return new Set([...variables.keys(), ...compared, ...textsOf(graph).flatMap(([, text]) => placeholdersIn(text))]);
}

function unknownVariables(
  clause: EquationClause,
  path: Path,
  variables: ReadonlyMap<string, VariableExtraction>,
): readonly Finding[] {
  const left = bareName(clause.left);
  const others = placeholdersIn(rightOf(clause).text).filter((name) => !isKnownPlaceholder(name, variables));
  const unknown = variables.has(left) || isPlatformVariable(left) ? others : [left, ...others];
  return [...new Set(unknown)].map((name) => {
    const hint = didYouMean(name, variables.keys(), `Give "${name}" to every call, or extract it first`);
    const message = `nothing in the graph fills "${name}", which an equation compares`;
    return { code: "unknown-variable", severity: "warning", path, message, hint };
  });
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
