export { vapiAssistant } from "./assistant/mod.ts";
export { vapiSquad } from "./squad/mod.ts";
export { vapiWorkflow } from "./workflow/mod.ts";
