import { type EquationClause, isUnary, type TransitionCondition } from "../graph/mod.ts";
import { shown } from "../values/mod.ts";
import { bareName } from "./bare_name.ts";
import { textOf } from "./text_of.ts";

/** Puts a value in quotes. */
type Quote = (value: string) => string;

/**
 * Formats an equation as in code: `balance < 0`, `topic == "repair"`, `day exists`.
 *
 * @param quote Default: long values are shortened.
 */
export function clauseText({ left, operator, right }: EquationClause, quote: Quote = shown): string {
  const name = bareName(left);
  return isUnary(operator) ? `${name} ${operator}` : `${name} ${operator} ${rightText(textOf(right) ?? "", quote)}`;
}

/** Formats the equations of a condition: `balance < 0 and vip == "true"`. */
export function clausesText({ equations, logical_operator }: TransitionCondition, quote: Quote = shown): string {
  const joint = logical_operator === "or" ? " or " : " and ";
  return (equations ?? []).map((clause) => clauseText(clause, quote)).join(joint);
}

/** Numbers verbatim, all else in quotes. */
export function rightText(literal: string, quote: Quote = shown): string {
  return /^-?\d+(?:\.\d+)?$/.test(literal) ? literal : quote(literal);
}
