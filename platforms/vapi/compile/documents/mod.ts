export { emitAssistant, emitSquad } from "./emit.ts";
