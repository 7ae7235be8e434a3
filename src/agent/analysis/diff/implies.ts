import { bareName, textOf } from "../../../document/expressions/mod.ts";
import { type EquationClause, isUnary, type TransitionCondition } from "../../../document/graph/mod.ts";
import { failing, holding, satisfy } from "../equations/mod.ts";

/**
 * Whether an equation condition holds wherever another does, for all values of the variables. `false` also where that
 * cannot be decided.
 */
export function implies(one: TransitionCondition, other: TransitionCondition): boolean {
  return satisfy([...holding(one), ...failing(other)], new Map()) === "none";
}

/** Whether a condition needs only one of several clauses. */
export function isOr({ equations, logical_operator: operator }: TransitionCondition): boolean {
  return operator === "or" && (equations ?? []).length > 1;
}

/** Text by which clauses are compared: equal for clauses that mean the same. */
export function clauseKey({ left, operator, right }: EquationClause): string {
  return JSON.stringify([bareName(left), operator, isUnary(operator) ? "" : (textOf(right) ?? "")]);
}
