export { callerFacts } from "./caller_facts.ts";
export { type CallerFacts, conditionsTo, type PathAnswers } from "./persona.ts";
export { type PlayedPath, type PlayOptions, playPath, visitedNodes, withSamples } from "./play_path.ts";
