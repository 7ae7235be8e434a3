export { numbersAround } from "./exact_numbers.ts";
export {
  comparesSides,
  type Formula,
  failing,
  holding,
  isTemplate,
  type Literal,
  leftOf,
  lefts,
  templateTexts,
  variablesOf,
} from "./formula.ts";
export type { Assignment, Outcome } from "./linked_variables.ts";
export { type Limit, valueFor } from "./one_variable.ts";
export { satisfy, type ValueFacts } from "./satisfy.ts";
export { ANY_VALUE, isCanonicalNumber, type ValueFact } from "./value_fact.ts";
