export {
  type ClauseLiteral,
  comparedVariables,
  comparesSides,
  type Formula,
  failing,
  holding,
  isTemplate,
  type Limit,
  leftOf,
  lefts,
  numbersAround,
  templateTexts,
  valueFor,
} from "./formula.ts";
export { ANY_VALUE, isCanonicalNumber, type ValueFact } from "./number_texts.ts";
export { type Assignment, type Outcome, satisfy, type ValueFacts } from "./satisfy.ts";
