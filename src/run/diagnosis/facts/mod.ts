export { conditionWords } from "./condition_words.ts";
export { factsOf } from "./facts_of.ts";
