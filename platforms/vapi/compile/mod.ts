export { emitAssistant } from "./assistant/mod.ts";
export { LOSS_CODES, type LossCode } from "./common/mod.ts";
export { recogniseAssistant, recogniseSquad } from "./read_back/mod.ts";
export { DEFAULT_MODEL } from "./settings/mod.ts";
export { emitSquad } from "./squad/mod.ts";
