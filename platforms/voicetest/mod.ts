import type { JsonObject } from "../../src/values/mod.ts";
import type { Format } from "../platform.ts";
import { emitVoicetest } from "./emit.ts";
import { detectVoicetest, importVoicetest } from "./import.ts";

/** The AgentGraph document itself, as in `*.vt.json` files. */
export const voicetest: Format<"voicetest", JsonObject> = {
  name: "voicetest",
  title: "AgentGraph document (*.vt.json)",
  output: "json",
  detect: detectVoicetest,
  importDocument: importVoicetest,
  emitGraph: emitVoicetest,
};
