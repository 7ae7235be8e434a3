import type { JsonObject } from "../../src/base/values/mod.ts";
import type { ModelLists } from "../models.ts";
import { choicesAt, modelNames, modelProvider } from "./api/mod.ts";
import { openAssistant, openMembers } from "./shared/mod.ts";

export { type Refused, vapiRefusals } from "./api/mod.ts";
export { vapiAssistant } from "./assistant/mod.ts";
export { toolNameLimit as vapiToolNameLimit } from "./shared/mod.ts";
export { emitVapiTests, type VapiEval, type VapiTests } from "./simulations/mod.ts";
export { vapiSquad } from "./squad/mod.ts";
export { vapiWorkflow } from "./workflow/mod.ts";

/** Returns the squad or assistant in a document, without an envelope. Assistants beside a squad are in its members. */
export const openVapiSquad = (document: unknown): JsonObject | undefined => {
  const opened = openMembers(document);
  return opened && { ...opened.squad, members: opened.homes };
};
export const openVapiAssistant = (document: unknown): JsonObject | undefined => openAssistant(document)?.document;

/** Returns the models of each provider. */
export const VAPI_MODELS = (): ModelLists => ({ models: modelNames(), providerOf: modelProvider });

/** Returns the languages of Deepgram, Vapi's default transcriber. */
export const vapiLanguages = (): readonly string[] => choicesAt("DeepgramTranscriber", "language");
