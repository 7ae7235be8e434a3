export { componentsOf, cyclesOf, type TurnBound, turnBounds } from "./cycles.ts";
export {
  allTexts,
  canEndCall,
  conditionsOf,
  conditionText,
  equationTransitions,
  globalIds,
  isElsewhere,
  listedIds,
  reachedIn,
  textsOf,
  valuesText,
  wholeClauseText,
} from "./steps.ts";
export { knownVariables, typedValue, valueFacts, variableFlow, variablesSetBy } from "./variables.ts";
