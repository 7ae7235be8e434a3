import { getAt } from "../../src/base/values/mod.ts";
import type { AgentGraph } from "../../src/document/graph/mod.ts";
import { type CarriedSetting, elevenLabsVoice, type VendorVoice } from "../voices.ts";

const AT = ["source_metadata", "elevenlabs", "conversation_config"];

/** ElevenLabs speaks with voices of its own: those of other vendors have no id here. */
export function elevenLabsVoiceFrom({ vendor, id }: VendorVoice): string | undefined {
  return vendor === "elevenlabs" ? id : undefined;
}

/** Voice and language of an imported ElevenLabs agent. */
export function elevenLabsCarried(graph: AgentGraph): readonly CarriedSetting[] {
  const [voiceAt, languageAt] = [
    [...AT, "tts", "voice_id"],
    [...AT, "agent", "language"],
  ];
  const [voice, language] = [getAt(graph, voiceAt), getAt(graph, languageAt)];
  return [
    ...(typeof voice === "string" && voice !== ""
      ? [{ kind: "voice", voice: elevenLabsVoice(voice), words: voice, paths: [voiceAt] } as const]
      : []),
    ...(typeof language === "string" && language !== ""
      ? [{ kind: "language", language, paths: [languageAt] } as const]
      : []),
  ];
}
