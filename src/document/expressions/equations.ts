import { EngineError } from "../../base/errors.ts";
import { checkOptions, isRecord, OPTION, own, rule } from "../../base/values/mod.ts";
import type { EquationClause, TransitionCondition } from "../graph/mod.ts";
import { bareName } from "./bare_name.ts";
import { compareDecimals } from "./decimals.ts";
import { fillRight } from "./right_side.ts";
import { textOf } from "./text_of.ts";

const RULES = {
  clause: rule(
    "an equation { left, operator, right? }",
    (value) => isRecord(value) && typeof value.left === "string" && typeof value.operator === "string",
  ),
  variables: OPTION.object,
};

/**
 * Whether an equation is true. Values are compared as texts, except by `>`, `>=`, `<` and `<=`, which compare decimal
 * numbers and are false unless both sides are numbers. `{{name}}` in the right side is filled as in a prompt; without
 * placeholders it is a literal, also where a variable has that name. If the left side is not set, only `not_exist` is
 * true.
 *
 * @throws {EngineError} `invalid-option`.
 */
export function evaluateEquation(clause: EquationClause, variables: { readonly [name: string]: unknown }): boolean {
  checkOptions(
    { clause: clause ?? null, variables: variables ?? null },
    RULES,
    EngineError,
    "Cannot evaluate equation",
  );
  return isTrue(clause, variables);
}

/** {@link evaluateEquation} without validation of its arguments, which takes as long as the evaluation. */
function isTrue(clause: EquationClause, variables: { readonly [name: string]: unknown }): boolean {
  const left = textOf(own(variables, bareName(clause.left)), bareName(clause.left));
  const right = fillRight(textOf(clause.right) ?? "", (name) => textOf(own(variables, name), name));
  return compareValues(clause.operator, left, right);
}

/**
 * Whether an operator holds between two values, as {@link evaluateEquation} compares them.
 *
 * @param left `undefined`: not set.
 */
export function compareValues(operator: string, left: string | undefined, right: string): boolean {
  if (operator === "exists") return left !== undefined;
  if (operator === "not_exist") return left === undefined;
  if (left === undefined) return false;
  switch (operator) {
    case "==":
      return left === right;
    case "!=":
      return left !== right;
    case "contains":
      return left.includes(right);
    case "not_contains":
      return !left.includes(right);
    default:
      return ordered(operator, compareDecimals(left, right));
  }
}

/** Whether an equation condition is true: all of its equations, or any with `or`. It is false without equations. */
export function equationHolds(
  condition: TransitionCondition,
  variables: { readonly [name: string]: unknown },
): boolean {
  return evaluateClauses(condition, variables).holds;
}

/**
 * Evaluates an equation condition, as {@link equationHolds} does.
 *
 * @returns `clauses`: the values of its clauses in order, up to the one that decided the condition.
 */
export function evaluateClauses(
  { equations, logical_operator }: TransitionCondition,
  variables: { readonly [name: string]: unknown },
): { readonly holds: boolean; readonly clauses: readonly boolean[] } {
  const decides = logical_operator === "or";
  const clauses: boolean[] = [];
  for (const clause of equations ?? []) {
    const value = isTrue(clause, variables);
    clauses.push(value);
    if (value === decides) return { holds: decides, clauses };
  }
  return { holds: clauses.length > 0 && !decides, clauses };
}

function ordered(operator: string, comparison: number | undefined): boolean {
  if (comparison === undefined) return false;
  if (operator === ">") return comparison > 0;
  if (operator === ">=") return comparison >= 0;
  if (operator === "<") return comparison < 0;
  return operator === "<=" && comparison <= 0;
}
