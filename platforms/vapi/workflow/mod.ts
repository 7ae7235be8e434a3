import type { Format } from "../../platform.ts";
import { emitWorkflow } from "./emit.ts";
import { importWorkflow } from "./import.ts";
import { openWorkflow, workflowLikeness } from "./keys.ts";

/** Vapi workflows, which Vapi retired in August 2026: read, and written back only where they were read. */
export const vapiWorkflow: Format<"vapi-workflow"> = {
  name: "vapi-workflow",
  title: "Vapi workflow (retired)",
  output: "json",
  shape: { keys: ["id", "name"], root: (document) => openWorkflow(document)?.at ?? [] },
  detect: (document) => workflowLikeness(openWorkflow(document)?.document ?? {}),
  importDocument: importWorkflow,
  emitGraph: emitWorkflow,
};
