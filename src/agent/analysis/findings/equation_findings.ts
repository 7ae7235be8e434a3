import type { Path } from "../../../base/errors.ts";
import { own } from "../../../base/values/mod.ts";
import { equationProblem, isDecimal, rightOf, textOf } from "../../../document/expressions/mod.ts";
import type {
  AgentGraph,
  EquationClause,
  Finding,
  TransitionCondition,
  VariableExtraction,
} from "../../../document/graph/mod.ts";
import { holding, leftOf, satisfy, type ValueFacts } from "../equations/mod.ts";
import { conditionsOf, conditionText, knownVariables, valueFacts, wholeClauseText } from "../facts/mod.ts";
import { gapFindings } from "./gap_findings.ts";
import { orderFindings } from "./order_findings.ts";

/** Findings for equations that cannot hold, hide each other, overlap, or leave cases open. The decision is exact. */
export function equationFindings(graph: AgentGraph): Finding[] {
  const facts = valueFacts(graph);
  const variables = knownVariables(graph);
  return Object.entries(graph.nodes).flatMap(([id, node]) => {
    const dead = new Set<TransitionCondition>();
    return [
      ...conditionsOf(id, node).flatMap(([path, condition]) => {
        const found = neverTrue(path, condition, facts, variables);
        if (found.length > 0 || hasProblem(condition, variables)) dead.add(condition);
        return [...found, ...unreadable(path, condition, graph)];
      }),
      ...orderFindings(id, node, facts, dead),
      ...gapFindings(id, node, facts, variables),
    ];
  });
}

function hasProblem({ equations }: TransitionCondition, variables: ReadonlyMap<string, VariableExtraction>): boolean {
  return (equations ?? []).some((clause) => equationProblem(clause, variables));
}

function neverTrue(
  path: Path,
  condition: TransitionCondition,
  facts: ValueFacts,
  variables: ReadonlyMap<string, VariableExtraction>,
): readonly Finding[] {
  const { type, equations } = condition;
  if (type !== "equation" || !equations || equations.length === 0 || hasProblem(condition, variables)) return [];
  const alone = equations.flatMap((clause, index): Finding[] => {
    if (satisfy([[{ clause, holds: true }]], facts) !== "none") return [];
    const message = `"${wholeClauseText(clause)}" is never true: ${whyNever(clause, facts)}`;
    return [never([...path, "equations", index], message)];
  });
  if (alone.length > 0 || equations.length === 1 || satisfy(holding(condition), facts) !== "none") return alone;
  return [never(path, `"${conditionText(condition)}" is never true: its parts exclude each other`)];
}

function never(path: Path, message: string): Finding {
  return {
    code: "never-true",
    severity: "warning",
    path,
    message,
    hint: "Correct the equation, or remove the transition",
  };
}

function whyNever(clause: EquationClause, facts: ValueFacts): string {
  const values = facts.get(leftOf(clause))?.values;
  if (values) return `"${leftOf(clause)}" is one of ${values.map((each) => JSON.stringify(each)).join(", ")}`;
  return facts.get(leftOf(clause))?.kind === "number" ? `"${leftOf(clause)}" is a number` : "no value fits";
}

/** Order comparisons of a variable whose default is not a number, such as "1,200". */
function unreadable(path: Path, { type, equations }: TransitionCondition, graph: AgentGraph): readonly Finding[] {
  if (type !== "equation") return [];
  const defaults = graph.source_metadata.default_dynamic_variables ?? {};
  return (equations ?? []).flatMap((clause, index): Finding[] => {
    if (!/^[<>]=?$/.test(clause.operator)) return [];
    const name = [leftOf(clause), rightOf(clause).variable ?? ""].find((each) => {
      const text = textOf(own(defaults, each));
      return text !== undefined && text.trim() !== "" && !isDecimal(text);
    });
    if (name === undefined) return [];
    const message = `"${wholeClauseText(clause)}" is false for the default of "${name}": ${JSON.stringify(textOf(own(defaults, name)))} is not a number`;
    const hint = "Write the default with digits and a decimal point only";
    return [{ code: "unreadable-number", severity: "warning", path: [...path, "equations", index], message, hint }];
  });
}
