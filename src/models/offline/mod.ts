export { answerByRule } from "./answer.ts";
export { type EntityKind, findEntity } from "./entities.ts";
export { claimOf } from "./judge.ts";
export { SYNONYMS } from "./synonyms.ts";
