import type { TransitionCondition } from "../graph/mod.ts";
import { textOf } from "./text_of.ts";

const OPERATOR_WORDS: ReadonlyMap<string, string> = new Map([
  ["==", "is"],
  ["!=", "is not"],
  [">", "is more than"],
  [">=", "is at least"],
  ["<", "is less than"],
  ["<=", "is at most"],
  ["contains", "contains"],
  ["not_contains", "does not contain"],
]);

/** An equation clause as a sentence for a model: `{{age}} is at least 18`, `{{age}} is known`. */
export function clauseWords(left: string, operator: string, right: string): string {
  if (operator === "exists") return `${left} is known`;
  if (operator === "not_exist") return `${left} is not known`;
  return `${left} ${OPERATOR_WORDS.get(operator) ?? operator} ${right}`;
}

/** An equation condition as a sentence for a model, with placeholders to fill: `{{age}} is at least "18"`. */
export function equationWords({ equations, logical_operator }: TransitionCondition): string {
  const clauses = (equations ?? []).map(({ left, operator, right }) =>
    clauseWords(`{{${left}}}`, operator, JSON.stringify(textOf(right) ?? "")),
  );
  return clauses.join(logical_operator === "or" ? " or " : " and ");
}
