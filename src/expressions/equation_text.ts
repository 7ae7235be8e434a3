import { isUnary, type TransitionCondition } from "../graph/mod.ts";
import { own, shown } from "../values/mod.ts";
import { bareName } from "./bare_name.ts";
import { rightText } from "./clause_text.ts";
import { textOf } from "./text_of.ts";

/**
 * Describes an equation condition with the values of its variables: `balance < limit (balance = "-3", limit = "0")`.
 */
export function equationText(
  { equations, logical_operator }: TransitionCondition,
  variables: { readonly [name: string]: unknown },
): string {
  if (!equations || equations.length === 0) return "an equation without clauses";
  const values = new Map<string, string>();
  const clauses = equations.map(({ left, operator, right }) => {
    const name = bareName(left);
    values.set(name, valueText(own(variables, name)));
    if (isUnary(operator)) return `${name} ${operator}`;
    const literal = textOf(right) ?? "";
    const other = bareName(literal);
    const isVariable = own(variables, other) !== undefined;
    if (isVariable) values.set(other, valueText(own(variables, other)));
    return `${name} ${operator} ${isVariable ? other : rightText(literal)}`;
  });
  const known = [...values].map(([name, value]) => `${name} ${value}`).join(", ");
  return `${clauses.join(logical_operator === "or" ? " or " : " and ")} (${known})`;
}

function valueText(value: unknown): string {
  const text = textOf(value);
  return text === undefined ? "is not set" : `= ${shown(text)}`;
}
