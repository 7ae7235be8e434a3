export { asNew, emitAssistant, emitSquad } from "./emit.ts";
