export { describeRoute, type Exit, exitKey, Guide, hopOf, noteLines, point } from "./guide.ts";
export { FIXED_WORDS, memberStart, openingIn, promptOf, splitGuide, startOf, systemPrompt } from "./prompt.ts";
