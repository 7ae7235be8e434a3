import type { Vapi } from "@vapi-ai/server-sdk";
import { anything, kindOf, kinds, list, type Rule, shape } from "./fit.ts";
import { voicesAToO } from "./fit_voices_a_to_o.ts";
import { voicesPToZ } from "./fit_voices_p_to_z.ts";

type Voice = Vapi.CreateAssistantDtoVoice;

/** Those that take over where one fails; each is held to the same rules. */
const others: Rule<never> = (value, at, faults) => {
  const plan = shape<Vapi.FallbackPlan>({ voices: list(fitVoice) }, ["voices"]);
  return anything(plan(value, at, faults), at, faults);
};

const VOICES = kinds<Voice, "provider">(
  "provider",
  { ...voicesAToO(others), ...voicesPToZ(others) },
  {
    azurespeech: "azure",
    custom: "custom-voice",
    deepgramaura: "deepgram",
    elevenlabs: "11labs",
    humeai: "hume",
    inworldai: "inworld",
    playai: "playht",
    rime: "rime-ai",
    smallest: "smallest-ai",
    wellsaidlabs: "wellsaid",
  },
);

/** Holds the settings of a voice to what Vapi's types know (SDK 2.0.1, `CreateAssistantDTO.voice`). */
export const fitVoice: Rule<never> = kindOf(VOICES);
