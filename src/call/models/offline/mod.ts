export { answerByRule } from "./answer.ts";
export { type EntityKind, findEntity } from "./extract.ts";
export { followPath, type PathFollower } from "./follow_path.ts";
export { claimOf } from "./judge.ts";
export { SYNONYMS } from "./words.ts";
