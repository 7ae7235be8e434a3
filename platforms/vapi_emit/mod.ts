export { emitAssistant, type VapiAssistantConfig } from "./assistant.ts";
export { emitSquad, type VapiSquadConfig } from "./squad.ts";
