import { clausesText, clauseText } from "../../../document/expressions/mod.ts";
import type { EquationClause, TransitionCondition } from "../../../document/graph/mod.ts";

/** Formats an equation with its whole value, for findings and coverage. */
export function wholeClauseText(clause: EquationClause): string {
  return clauseText(clause, JSON.stringify);
}

/** Formats an equation condition with whole values: `balance < 0 and vip == "true"`. */
export function conditionText(condition: TransitionCondition): string {
  return clausesText(condition, JSON.stringify);
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
