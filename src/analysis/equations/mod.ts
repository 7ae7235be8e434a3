export { type Formula, failing, holding, type Literal, leftOf, lefts, rightOf } from "./formula.ts";
export type { Assignment, Outcome } from "./linked_variables.ts";
export { satisfy, type ValueFacts } from "./satisfy.ts";
export { ANY_VALUE, type ValueFact } from "./value_fact.ts";
