import { bareName, isDecimal, textOf } from "../../expressions/mod.ts";
import { type EquationClause, isUnary, type TransitionCondition } from "../../graph/mod.ts";
import { ANY_VALUE, failing, holding, satisfy, type ValueFacts } from "../equations/mod.ts";

/**
 * Whether an equation condition holds wherever another does, for all values of the variables. `false` also where that
 * cannot be decided.
 *
 * @param variables Names that stand for values on the right side of equations.
 */
export function implies(one: TransitionCondition, other: TransitionCondition, variables: ReadonlySet<string>): boolean {
  const formula = [...holding(one), ...failing(other)];
  return satisfy(formula, factsOf([...(one.equations ?? []), ...(other.equations ?? [])], variables)) === "none";
}

/**
 * Right sides that are variables. The right side of `<` or `>` that is not a number counts as one, even if the graph
 * does not declare it, because a call may start with it.
 */
function factsOf(clauses: readonly EquationClause[], variables: ReadonlySet<string>): ValueFacts {
  const named = clauses.flatMap(({ operator, right }) => {
    const literal = textOf(right) ?? "";
    const name = bareName(literal);
    const isName = variables.has(name) || name !== literal || (/^[<>]/.test(operator) && !isDecimal(literal));
    return isName ? [[name, ANY_VALUE] as const] : [];
  });
  return new Map(named);
}

/** Whether a condition needs only one of several clauses. */
export function isOr({ equations, logical_operator: operator }: TransitionCondition): boolean {
  return operator === "or" && (equations ?? []).length > 1;
}

/** Text by which clauses are compared: equal for clauses that mean the same. */
export function clauseKey({ left, operator, right }: EquationClause): string {
  return JSON.stringify([bareName(left), operator, isUnary(operator) ? "" : (textOf(right) ?? "")]);
}
