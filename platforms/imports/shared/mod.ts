export { GraphDraft, type NodeParts, type Target } from "./draft.ts";
export { type Comparison, readExpression, unquoted } from "./expression.ts";
export {
  ALWAYS,
  all,
  any,
  compared,
  comparedAs,
  comparedToNothing,
  conditionsOf,
  different,
  isExact,
  type Logic,
  NEVER,
  not,
  words,
  wordsOf,
} from "./logic.ts";
export {
  AFTER_CALLER,
  ALWAYS_TAKEN,
  ANSWERED,
  AT_ONCE,
  asked,
  assigned,
  fieldsOf,
  filled,
  plainName,
  renamed,
  request,
  textOf,
  toolCalled,
  withoutTags,
} from "./parts.ts";
export { Variables } from "./variables.ts";
