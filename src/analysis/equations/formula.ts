import { bareName, textOf } from "../../expressions/mod.ts";
import type { EquationClause, TransitionCondition } from "../../graph/mod.ts";

/** A comparison that must hold, or must not hold. */
export interface Literal {
  readonly clause: EquationClause;
  readonly holds: boolean;
}

/** A conjunction of disjunctions: each group needs at least one comparison with the wanted outcome. */
export type Formula = readonly (readonly Literal[])[];

/** What must be true for an equation condition to hold. */
export function holding({ equations, logical_operator }: TransitionCondition): Formula {
  const literals = (equations ?? []).map((clause) => ({ clause, holds: true }));
  if (literals.length === 0) return [[]]; // a condition without equations never holds
  return logical_operator === "or" ? [literals] : literals.map((literal) => [literal]);
}

/** What must be true for an equation condition not to hold. */
export function failing({ equations, logical_operator }: TransitionCondition): Formula {
  const literals = (equations ?? []).map((clause) => ({ clause, holds: false }));
  if (literals.length === 0) return [];
  return logical_operator === "or" ? literals.map((literal) => [literal]) : [literals];
}

/** The variable on the left of a comparison. */
export function leftOf({ left }: EquationClause): string {
  return bareName(left);
}

/** The right side of a comparison as text, and the variable that it may name. */
export function rightOf({ right }: EquationClause): { readonly literal: string; readonly name: string } {
  const literal = textOf(right) ?? "";
  return { literal, name: bareName(literal) };
}

/** Operators that compare the two sides. Any other operator is never true, whatever the right side is. */
const COMPARING = new Set<string>(["==", "!=", ">", ">=", "<", "<=", "contains", "not_contains"]);

/** Whether the right side of a comparison matters. */
export function comparesSides({ operator }: EquationClause): boolean {
  return COMPARING.has(operator);
}

/** Every variable on the left of a formula's comparisons. */
export function lefts(formula: Formula): ReadonlySet<string> {
  return new Set(formula.flat().map(({ clause }) => leftOf(clause)));
}
