export { emitAssistant, type VapiAssistantConfig } from "./assistant.ts";
