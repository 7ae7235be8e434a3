import { bareName, clauseText } from "../../../document/expressions/mod.ts";
import type { EquationClause, TransitionCondition } from "../../../document/graph/mod.ts";
import { clauseKey, isOr } from "./implies.ts";
import { code, equationCode } from "./words.ts";

/** How an equation changed, as the end of a sentence: "is now also taken when `balance < 0`". */
export function equationTail(before: TransitionCondition, after: TransitionCondition): string {
  const [earlier, later] = [before.equations ?? [], after.equations ?? []];
  const kept = new Set(earlier.map(clauseKey));
  const now = new Set(later.map(clauseKey));
  const added = later.filter((clause) => !kept.has(clauseKey(clause)));
  const removed = earlier.filter((clause) => !now.has(clauseKey(clause)));
  const whole = `is taken when ${equationCode(after)} instead of when ${equationCode(before)}`;
  if (earlier.length === 0 || later.length === 0) return whole;
  // one equation alone has no operator
  const either = isOr(before) || isOr(after);
  if (either && ![before, after].every((each) => isOr(each) || (each.equations ?? []).length === 1)) return whole;
  if (added.length === 1 && removed.length === 1 && sameVariable(added, removed))
    return `needs ${texts(added)} instead of ${texts(removed)}`;
  const parts = either
    ? [phrase("is now also taken when", added, " or when "), phrase("is no longer taken when", removed, " or when ")]
    : [phrase("now also needs", added, " and "), phrase("no longer needs", removed, " and ")];
  return parts.filter(Boolean).join(" and ") || whole;
}

function sameVariable([one]: readonly EquationClause[], [other]: readonly EquationClause[]): boolean {
  return one !== undefined && other !== undefined && bareName(one.left) === bareName(other.left);
}

function phrase(words: string, clauses: readonly EquationClause[], between: string): string {
  return clauses.length === 0 ? "" : `${words} ${texts(clauses, between)}`;
}

function texts(clauses: readonly EquationClause[], between = ", "): string {
  return clauses.map((clause) => code(clauseText(clause))).join(between);
}
