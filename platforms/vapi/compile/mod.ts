export { LOSS_CODES } from "./common/mod.ts";
export { emitAssistant, emitSquad } from "./documents/mod.ts";
export { splitGuide } from "./prompt/mod.ts";
export { recogniseAssistant, recogniseSquad } from "./read_back/mod.ts";
export { DEFAULT_MODEL } from "./settings/mod.ts";
