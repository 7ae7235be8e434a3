import { bareName, clauseVariables, fillRight, rightOf } from "../../../document/expressions/mod.ts";
import type { EquationClause, TransitionCondition } from "../../../document/graph/mod.ts";

/** A comparison that must hold, or must not hold. */
export interface ClauseLiteral {
  readonly clause: EquationClause;
  readonly holds: boolean;
}

/** A conjunction of disjunctions: each group needs at least one comparison with the wanted outcome. */
export type Formula = readonly (readonly ClauseLiteral[])[];

/** The comparisons that must be true, or false, for an equation condition to be true. */
export function holding({ equations, logical_operator }: TransitionCondition): Formula {
  const literals = (equations ?? []).map((clause) => ({ clause, holds: true }));
  if (literals.length === 0) return [[]]; // a condition without equations never holds
  return logical_operator === "or" ? [literals] : literals.map((literal) => [literal]);
}

/** The comparisons that must be true, or false, for an equation condition to be false. */
export function failing({ equations, logical_operator }: TransitionCondition): Formula {
  const literals = (equations ?? []).map((clause) => ({ clause, holds: false }));
  if (literals.length === 0) return [];
  return logical_operator === "or" ? literals.map((literal) => [literal]) : [literals];
}

/** The variable on the left of a comparison. */
export function leftOf({ left }: EquationClause): string {
  return bareName(left);
}

/** Operators that compare the two sides. Any other operator is never true, whatever the right side is. */
const COMPARING = new Set<string>(["==", "!=", ">", ">=", "<", "<=", "contains", "not_contains"]);

/** Whether the right side of a comparison matters. */
export function comparesSides({ operator }: EquationClause): boolean {
  return COMPARING.has(operator);
}

/** The variables that decide a comparison, the left side first. */
export function comparedVariables(clause: EquationClause): readonly string[] {
  return comparesSides(clause) ? clauseVariables(clause) : [leftOf(clause)];
}

/** Whether a comparison fills a variable into a longer text: `{{plan}}-2`. */
export function isTemplate(clause: EquationClause): boolean {
  const { names, variable } = rightOf(clause);
  return variable === undefined && names.length > 0 && comparesSides(clause);
}

/** Texts to fill into one right side; more make searches slow and find little. */
const MOST_FILLED = 3;

/**
 * Texts that comparisons with longer texts tell apart: `no-7` for `no-{{id}}` where `7` is known, and `7` where `no-7`
 * is known.
 */
export function templateTexts(clauses: readonly EquationClause[], texts: readonly string[]): readonly string[] {
  const templates = clauses.filter(isTemplate).map((clause) => rightOf(clause).text);
  return templates.flatMap((template) => {
    const [start = "", ...rest] = template.split(/\{\{[^{}]*\}\}/);
    const end = rest.at(-1) ?? "";
    const parts = texts.flatMap((text) => {
      const isFilled = text.length >= start.length + end.length && text.startsWith(start) && text.endsWith(end);
      return isFilled ? [text.slice(start.length, text.length - end.length)] : [];
    });
    return [...parts, ...texts.slice(0, MOST_FILLED).map((text) => fillRight(template, () => text))];
  });
}

/** Every variable on the left of a formula's comparisons. */
export function lefts(formula: Formula): ReadonlySet<string> {
  return new Set(formula.flat().map(({ clause }) => leftOf(clause)));
}
