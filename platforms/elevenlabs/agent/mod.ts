import type { Format } from "../../platform.ts";
import { checkElevenLabs } from "./check.ts";
import { isAgentDocument, openAgent, partOf } from "./document.ts";
import { emitElevenLabs } from "./emit.ts";
import { importElevenLabs } from "./import.ts";

export { openAgent } from "./document.ts";

/** Agents of ElevenLabs, with or without a workflow. */
export const elevenLabsAgent: Format<"elevenlabs"> = {
  name: "elevenlabs",
  title: "ElevenLabs agent",
  shape: {
    keys: ["id", "name", "variable_name", "dynamic_variable", "tool_id"],
    derived: ["position"],
    open: openAgent,
  },
  detect: (document) => (isAgentDocument(document) ? 0.95 : partOf(document) ? 0.4 : 0),
  importDocument: importElevenLabs,
  emitGraph: emitElevenLabs,
  checkGraph: checkElevenLabs,
};
