export { emitAssistant, type VapiAssistantConfig } from "./assistant.ts";
export { recogniseAssistant, recogniseSquad } from "./recognise.ts";
export { emitSquad, type VapiSquadConfig } from "./squad.ts";
