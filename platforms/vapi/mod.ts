import { choicesAt } from "./api/mod.ts";

export { vapiAssistant } from "./assistant/mod.ts";
export { emitVapiTests, type VapiEval, type VapiTests } from "./simulations/mod.ts";
export { vapiSquad } from "./squad/mod.ts";
export { vapiWorkflow } from "./workflow/mod.ts";

/** Languages of Deepgram, which Vapi listens with by default. */
export const vapiLanguages = (): readonly string[] => choicesAt("DeepgramTranscriber", "language");
