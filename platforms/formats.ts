import { mermaid } from "./mermaid/mod.ts";
import type { Format } from "./platform.ts";
import { retell } from "./retell/mod.ts";
import { retellLlm } from "./retell_llm/mod.ts";
import { svg } from "./svg/mod.ts";
import { vapiAssistant } from "./vapi_assistant/mod.ts";
import { vapiSquad } from "./vapi_squad/mod.ts";
import { vapiWorkflow } from "./vapi_workflow/mod.ts";
import { voicetest } from "./voicetest/mod.ts";

/** Every format that Callweave knows, in the order in which they are listed. */
export const FORMATS: readonly Format[] = [
  retell,
  retellLlm,
  vapiSquad,
  vapiAssistant,
  vapiWorkflow,
  voicetest,
  mermaid,
  svg,
];
