export { emitAssistant, type VapiAssistantConfig } from "./assistant.ts";
export { LOSS_CODES, type LossCode } from "./losses.ts";
export { DEFAULT_MODEL } from "./model.ts";
export { type Recognised, recogniseAssistant, recogniseSquad } from "./recognise.ts";
export { emitSquad, type VapiSquadConfig } from "./squad.ts";
