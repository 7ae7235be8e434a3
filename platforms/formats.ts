import { withCommonSettings } from "./common/mod.ts";
import { mermaid } from "./mermaid/mod.ts";
import { FORMAT_NAMES, type Format, type FormatName } from "./platform.ts";
import { retell } from "./retell/mod.ts";
import { retellLlm } from "./retell_llm/mod.ts";
import { svg } from "./svg/mod.ts";
import { vapiAssistant } from "./vapi_assistant/mod.ts";
import { vapiSquad } from "./vapi_squad/mod.ts";
import { vapiWorkflow } from "./vapi_workflow/mod.ts";
import { voicetest } from "./voicetest/mod.ts";

const BY_NAME: { readonly [Name in FormatName]: Format } = {
  retell,
  "retell-llm": retellLlm,
  "vapi-squad": vapiSquad,
  "vapi-assistant": vapiAssistant,
  "vapi-workflow": vapiWorkflow,
  voicetest,
  mermaid,
  svg,
};

/** Every format that Callweave knows, in the order in which they are listed. */
export const FORMATS: readonly Format[] = FORMAT_NAMES.map((name) => withCommonSettings(BY_NAME[name]));
