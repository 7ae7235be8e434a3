export { emitAssistant, type VapiAssistantConfig } from "./assistant/mod.ts";
export { LOSS_CODES, type LossCode } from "./common/mod.ts";
export { type Recognised, recogniseAssistant, recogniseSquad } from "./read_back/mod.ts";
export { DEFAULT_MODEL } from "./settings/mod.ts";
export { emitSquad, type VapiSquadConfig } from "./squad/mod.ts";
