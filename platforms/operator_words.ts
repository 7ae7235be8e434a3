/** How operators that compare two values read in a sentence: `{{age}} is at least 18`. */
export const OPERATOR_WORDS: ReadonlyMap<string, string> = new Map([
  ["==", "is"],
  ["!=", "is not"],
  [">", "is more than"],
  [">=", "is at least"],
  ["<", "is less than"],
  ["<=", "is at most"],
  ["contains", "contains"],
  ["not_contains", "does not contain"],
]);
