import { isRecord, type OptionRule } from "../../src/base/values/mod.ts";
import { type CallVoice, VOICE_RULES, type VoiceOptions } from "../../src/call/voice/mod.ts";

const { opening: _, ...GROUP } = VOICE_RULES;

/** The rule of the option `voice`, which makes the calls of a connection calls by voice. */
export const CALL_VOICE: OptionRule = {
  needs: `true, false, or an object with ${Object.keys(GROUP).join(", ")}`,
  accepts: (value) => typeof value === "boolean" || isRecord(value),
  group: GROUP,
};

/** The options of calls by voice; `undefined`: calls are in text. */
export function voiceOptionsOf(voice: CallVoice | undefined, opening: boolean | undefined): VoiceOptions | undefined {
  if (voice === undefined || voice === false) return undefined;
  return { ...(voice === true ? {} : voice), ...(opening === undefined ? {} : { opening }) };
}
