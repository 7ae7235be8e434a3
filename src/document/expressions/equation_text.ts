import { own, shown } from "../../base/values/mod.ts";
import type { TransitionCondition } from "../graph/mod.ts";
import { clauseText } from "./clause_text.ts";
import { clauseVariables } from "./right_side.ts";
import { textOf } from "./text_of.ts";

/**
 * Describes an equation condition with the values of its variables: `balance < {{limit}} (balance = "-3", limit = "0")`.
 */
export function equationText(
  { equations, logical_operator }: TransitionCondition,
  variables: { readonly [name: string]: unknown },
): string {
  if (!equations || equations.length === 0) return "an equation without clauses";
  const values = new Map<string, string>();
  const clauses = equations.map((clause) => {
    for (const name of clauseVariables(clause)) values.set(name, valueText(own(variables, name)));
    return clauseText(clause);
  });
  const known = [...values].map(([name, value]) => `${name} ${value}`).join(", ");
  return `${clauses.join(logical_operator === "or" ? " or " : " and ")} (${known})`;
}

function valueText(value: unknown): string {
  const text = textOf(value);
  return text === undefined ? "is not set" : `= ${shown(text)}`;
}
