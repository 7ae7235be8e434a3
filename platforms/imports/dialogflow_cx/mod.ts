import type { Format } from "../../platform.ts";
import { readAgent } from "./document.ts";
import { importAgentFiles } from "./import.ts";

/** Exported agents of Dialogflow CX, which are only read. */
export const dialogflowCx: Format<"dialogflow-cx"> = {
  name: "dialogflow-cx",
  title: "Dialogflow CX agent",
  detect: (document) => (readAgent(document) ? 1 : 0),
  importDocument: importAgentFiles,
};
