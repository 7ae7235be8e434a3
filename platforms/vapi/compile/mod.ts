export { LOSS_CODES } from "./common/mod.ts";
export { asNew, emitAssistant, emitSquad } from "./documents/mod.ts";
export { openingIn, promptOf, splitGuide } from "./prompt/mod.ts";
export { recogniseAssistant, recogniseSquad } from "./read_back/mod.ts";
export { DEFAULT_MODEL } from "./settings/mod.ts";
