import { bareName, compareDecimals, equationHolds, textOf } from "../../expressions/mod.ts";
import type { EquationClause, TransitionCondition } from "../../graph/mod.ts";

/**
 * Whether one equation condition surely holds wherever another does. `false` also where that is not certain: right
 * sides that differ are compared as numbers and texts, not as names of variables.
 */
export function implies(one: TransitionCondition, other: TransitionCondition): boolean {
  const [from, to] = [one.equations ?? [], other.equations ?? []];
  if (from.length === 0) return true; // never holds
  if (to.length === 0) return false;
  // a conjunction holds at least where all of its clauses do, a disjunction where one does
  const cases = isOr(one) ? from.map((clause) => [clause]) : [from];
  return cases.every((known) => {
    const follows = (clause: EquationClause) => known.some((each) => clauseImplies(each, clause));
    return isOr(other) ? to.some(follows) : to.every(follows);
  });
}

/** Whether a condition needs only one of several clauses. */
export function isOr({ equations, logical_operator: operator }: TransitionCondition): boolean {
  return operator === "or" && (equations ?? []).length > 1;
}

/** Text by which clauses are compared: equal for clauses that mean the same. */
export function clauseKey({ left, operator, right }: EquationClause): string {
  const unary = operator === "exists" || operator === "not_exist";
  return JSON.stringify([bareName(left), operator, unary ? "" : (textOf(right) ?? "")]);
}

function clauseImplies(one: EquationClause, other: EquationClause): boolean {
  if (clauseKey(one) === clauseKey(other)) return true;
  if (bareName(one.left) !== bareName(other.left)) return false;
  if (other.operator === "exists") return KNOWN.includes(one.operator);
  const [left, right] = [textOf(one.right) ?? "", textOf(other.right) ?? ""];
  if (left === right && WEAKER.get(one.operator)?.includes(other.operator)) return true;
  const order = compareDecimals(left, right);
  if (order === undefined) return false; // one may be a variable with any value
  return one.operator === "=="
    ? equalImplies(left, other.operator, right)
    : orderImplies(one.operator, other.operator, order);
}

/** Operators that hold only for a variable that is set. */
const KNOWN: readonly string[] = ["==", "!=", ">", ">=", "<", "<=", "contains", "not_contains"];

/** Operators that hold with the same right side wherever the first one does. */
const WEAKER: ReadonlyMap<string, readonly string[]> = new Map([
  [">", [">="]],
  ["<", ["<="]],
  ["not_contains", ["!="]],
]);

/** Whether a variable with a number as its value fulfils a clause with another number. */
function equalImplies(value: string, operator: string, right: string): boolean {
  return equationHolds({ type: "equation", value: "", equations: [{ left: "x", operator, right }] }, { x: value });
}

/** @param order Of the two right sides: below 0 where the first is less. */
function orderImplies(one: string, other: string, order: number): boolean {
  if (one === "<") return (other === "<" || other === "<=") && order <= 0;
  if (one === "<=") return (other === "<=" && order <= 0) || (other === "<" && order < 0);
  if (one === ">") return (other === ">" || other === ">=") && order >= 0;
  return one === ">=" && ((other === ">=" && order >= 0) || (other === ">" && order > 0));
}
