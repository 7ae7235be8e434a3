import { bareName, clauseText, textOf } from "../../../document/expressions/mod.ts";
import type { EquationClause, TransitionCondition } from "../../../document/graph/mod.ts";

/** Whether a text describes an equation condition, as `equationText()` does: `age < limit (age = "7", limit = "18")`. */
export function isTextOf({ equations, logical_operator }: TransitionCondition, text: string): boolean {
  if (!equations || equations.length === 0) return false;
  const joint = logical_operator === "or" ? " or " : " and ";
  let rest = text;
  for (const [index, clause] of equations.entries()) {
    const before = index === 0 ? "" : joint;
    const found = writtenForms(clause).find((form) => rest.startsWith(before + form));
    if (found === undefined) return false;
    rest = rest.slice(before.length + found.length);
  }
  return /^(?:$|,| \()/.test(rest);
}

/** A clause with its literal, or with the name of the variable on its right side; the longest form first. */
function writtenForms(clause: EquationClause): readonly string[] {
  const withName = `${bareName(clause.left)} ${clause.operator} ${bareName(textOf(clause.right) ?? "")}`.trimEnd();
  return [clauseText(clause), withName].sort((a, b) => b.length - a.length);
}
