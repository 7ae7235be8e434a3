export { describeRoute } from "./describe.ts";
export { type Exit, exitKey, exitLines, point } from "./guide.ts";
export { openingOf, startOf } from "./opening.ts";
export { FIXED_WORDS, splitGuide, stepsPrompt, systemPrompt } from "./prompt.ts";
