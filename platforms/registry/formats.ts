import { withCommonSettings } from "../common/mod.ts";
import { FORMAT_NAMES, type Format, type FormatName } from "../platform.ts";
import { retell, retellLlm } from "../retell/mod.ts";
import { vapiAssistant, vapiSquad, vapiWorkflow } from "../vapi/mod.ts";
import { voicetest } from "../voicetest/mod.ts";
import { mermaid, svg } from "./pictures.ts";

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
