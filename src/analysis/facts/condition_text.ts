import { bareName, textOf } from "../../expressions/mod.ts";
import type { EquationClause, TransitionCondition } from "../../graph/mod.ts";

/** Formats an equation for display: `balance < 0`. */
export function clauseText({ left, operator, right }: EquationClause): string {
  const text = textOf(right);
  if (text === undefined || operator === "exists" || operator === "not_exist") return `${bareName(left)} ${operator}`;
  return `${bareName(left)} ${operator} ${/^-?\d+(?:\.\d+)?$/.test(text) ? text : JSON.stringify(text)}`;
}

/** Formats an equation condition for display: `balance < 0 and vip == "true"`. */
export function conditionText({ equations, logical_operator }: TransitionCondition): string {
  return (equations ?? []).map(clauseText).join(logical_operator === "or" ? " or " : " and ");
}

/** Formats variables with their values: `age = "7", plan not set`. */
export function valuesText(names: Iterable<string>, values: ReadonlyMap<string, string>): string {
  return [...names]
    .map((name) => {
      const text = values.get(name);
      return text === undefined ? `${name} not set` : `${name} = ${JSON.stringify(text)}`;
    })
    .join(", ");
}
