export type { PathAnswers } from "./answers.ts";
export { callerFacts } from "./caller_facts.ts";
export { conditionsTo } from "./offered_conditions.ts";
export type { CallerFacts } from "./persona.ts";
export { type PlayedPath, type PlayOptions, playPath, visitedNodes } from "./play_path.ts";
export { withSamples } from "./with_samples.ts";
