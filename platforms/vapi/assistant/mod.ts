import type { Format } from "../../platform.ts";
import { assistantLikeness, checkAssistant, DOCUMENT_SHAPE, holdsOnlyTools, openAssistant } from "../shared/mod.ts";
import { emitAssistantGraph } from "./emit.ts";
import { assistantRoot, importAssistant } from "./import.ts";

/** Vapi assistants: one prompt with tools. */
export const vapiAssistant: Format<"vapi-assistant"> = {
  name: "vapi-assistant",
  title: "Vapi assistant",
  shape: { ...DOCUMENT_SHAPE, root: assistantRoot },
  // tools are detected, so that the error can explain that they are not an agent
  detect: (document) =>
    assistantLikeness(openAssistant(document)?.document ?? {}) || (holdsOnlyTools(document) ? 0.1 : 0),
  importDocument: importAssistant,
  emitGraph: emitAssistantGraph,
  checkGraph: (graph, config) => checkAssistant(openAssistant(config)?.document ?? {}, graph),
};
