export { describeRoute } from "./describe.ts";
export { type Exit, exitKey, exitLines, noteLines, point } from "./guide.ts";
export { FIXED_WORDS, openingOf, splitGuide, startOf, systemPrompt } from "./prompt.ts";
