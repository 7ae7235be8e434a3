import { getAt } from "../../src/base/values/mod.ts";
import type { AgentGraph } from "../../src/document/graph/mod.ts";
import { type CarriedSetting, elevenLabsVoice, type VendorVoice } from "../voices.ts";

/** Vendors whose voices Telnyx names by the vendor's id alone, https://developers.telnyx.com/docs/tts-stt/tts-available-voices. */
const VENDORS: readonly (readonly [beginning: string, vendor: string])[] = [
  ["AWS.Polly.", "polly"],
  ["Azure.", "azure"],
];

/** Reads Telnyx's name of a voice, such as `Telnyx.KokoroTTS.af` or `ElevenLabs.eleven_flash_v2_5.21m00Tcm4TlvDq8ikWAM`. */
function telnyxVoice(name: string): VendorVoice {
  for (const [beginning, vendor] of VENDORS)
    if (name.startsWith(beginning)) return { vendor, id: name.slice(beginning.length) };
  const [vendor = "", ...rest] = name.split(".");
  const id = rest.at(-1) ?? "";
  if (vendor === "ElevenLabs" && id !== "") return elevenLabsVoice(id);
  return { vendor: vendor === "Telnyx" ? "telnyx" : vendor.toLowerCase(), ...(id === "" ? {} : { id }) };
}

/** Telnyx's name of a vendor's voice. Voices of ElevenLabs also need a key of theirs, so they are chosen by a person. */
export function telnyxVoiceFrom({ vendor, id }: VendorVoice): string | undefined {
  const found = VENDORS.find(([, name]) => name === vendor);
  return found && id !== undefined ? `${found[0]}${id}` : undefined;
}

/** Voice and language of an imported Telnyx assistant. */
export function telnyxCarried(graph: AgentGraph): readonly CarriedSetting[] {
  const at = ["source_metadata", "telnyx"];
  const [voiceAt, languageAt] = [
    [...at, "voice_settings", "voice"],
    [...at, "transcription", "language"],
  ];
  const [voice, language] = [getAt(graph, voiceAt), getAt(graph, languageAt)];
  return [
    ...(typeof voice === "string" && voice !== ""
      ? [{ kind: "voice", voice: telnyxVoice(voice), words: voice, paths: [voiceAt] } as const]
      : []),
    ...(typeof language === "string" && language !== "" && language !== "auto"
      ? [{ kind: "language", language, paths: [languageAt] } as const]
      : []),
  ];
}
