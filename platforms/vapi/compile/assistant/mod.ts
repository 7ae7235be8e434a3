export { emitAssistant } from "./assistant.ts";
