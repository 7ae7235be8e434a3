import type { Format } from "../../platform.ts";
import { emitWorkflow } from "./emit.ts";
import { importWorkflow } from "./import.ts";
import { openWorkflow, workflowLikeness } from "./keys.ts";

/** Vapi workflows, which Vapi retired in August 2026. Only graphs imported from a workflow can be emitted as one. */
export const vapiWorkflow: Format<"vapi-workflow"> = {
  name: "vapi-workflow",
  title: "Vapi workflow (retired)",
  shape: { keys: ["id", "name"], root: (document) => openWorkflow(document)?.at ?? [] },
  detect: (document) => workflowLikeness(openWorkflow(document)?.document ?? {}),
  importDocument: importWorkflow,
  emitGraph: emitWorkflow,
};
