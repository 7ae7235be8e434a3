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
