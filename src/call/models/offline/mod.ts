export { answerByRule } from "./answer.ts";

export { followPath, type PathFollower } from "./follow_path.ts";
export { claimOf } from "./judge.ts";
export { refusalsBefore, refuses, similarity, wordSet } from "./refusals.ts";
export type { EntityKind } from "./tongue.ts";
export { findEntity, isPlainEnglish, SYNONYMS } from "./words.ts";
