export { numbersAround } from "./exact_numbers.ts";
export {
  type ClauseLiteral,
  comparedVariables,
  comparesSides,
  type Formula,
  failing,
  holding,
  isTemplate,
  leftOf,
  lefts,
  templateTexts,
} from "./formula.ts";
export type { Assignment, Outcome } from "./linked_variables.ts";
export { type Limit, valueFor } from "./one_variable.ts";
export { satisfy, type ValueFacts } from "./satisfy.ts";
export { ANY_VALUE, isCanonicalNumber, type ValueFact } from "./value_fact.ts";
