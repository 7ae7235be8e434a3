import { shown } from "../../base/values/mod.ts";
import { type EquationClause, isUnary, type TransitionCondition } from "../graph/mod.ts";
import { bareName } from "./bare_name.ts";
import { rightOf } from "./right_side.ts";

/** Puts a value in quotes. */
type Quote = (value: string) => string;

/**
 * Formats an equation as in code: `balance < 0`, `balance < {{limit}}`, `topic == "repair"`, `day exists`.
 *
 * @param quote Default: long values are shortened.
 */
export function clauseText(clause: EquationClause, quote: Quote = shown): string {
  const compared = `${bareName(clause.left)} ${clause.operator}`;
  if (isUnary(clause.operator)) return compared;
  const { text, variable } = rightOf(clause);
  const isBare = variable !== undefined || /^-?\d+(?:\.\d+)?$/.test(text);
  return `${compared} ${isBare ? text : quote(text)}`;
}

/** Formats the equations of a condition: `balance < 0 and vip == "true"`. */
export function clausesText({ equations, logical_operator }: TransitionCondition, quote: Quote = shown): string {
  const joint = logical_operator === "or" ? " or " : " and ";
  return (equations ?? []).map((clause) => clauseText(clause, quote)).join(joint);
}
