export { writtenCondition } from "./condition_words.ts";
export { failureFacts } from "./facts_of.ts";
