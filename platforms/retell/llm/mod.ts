import type { Format } from "../../platform.ts";
import { documentShape } from "../shared/mod.ts";
import { checkLlm } from "./check.ts";
import { emitLlm } from "./emit.ts";
import { detectLlm, importLlm } from "./import.ts";

/** Retell's single and multi prompt agents ("Retell LLM"). */
export const retellLlm: Format<"retell-llm"> = {
  name: "retell-llm",
  title: "Retell single and multi prompt",
  shape: documentShape,
  detect: detectLlm,
  importDocument: importLlm,
  emitGraph: emitLlm,
  checkGraph: checkLlm,
};
