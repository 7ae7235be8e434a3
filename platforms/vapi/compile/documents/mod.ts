export { emitAssistant } from "./assistant.ts";
export { emitSquad } from "./squad.ts";
