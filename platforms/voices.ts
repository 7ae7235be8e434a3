import type { Path } from "../src/base/errors.ts";

/** A voice of the vendor that makes the speech, whatever platform the agent is on. */
export interface VendorVoice {
  /** `elevenlabs`, `openai`, `azure`, … as in {@link VOICE_VENDORS}. */
  readonly vendor: string;
  /** The vendor's id. Absent if the platform has a name of its own for the voice. */
  readonly id?: string;
  /** The name that people know: `Sarah`. */
  readonly name?: string;
}

/** A setting of an imported graph that other platforms have too, and where it stands. */
export type CarriedSetting =
  | {
      readonly kind: "voice";
      readonly voice: VendorVoice;
      /** The platform's words for it: `11labs-Adrian`. */
      readonly words: string;
      /** Places in the graph that say nothing else. */
      readonly paths: readonly Path[];
    }
  | { readonly kind: "language"; readonly language: string; readonly paths: readonly Path[] };

/** Names that people read. */
export const VOICE_VENDORS: { readonly [vendor: string]: string } = {
  azure: "Azure",
  cartesia: "Cartesia",
  deepgram: "Deepgram",
  elevenlabs: "ElevenLabs",
  hume: "Hume",
  inworld: "Inworld",
  lmnt: "LMNT",
  minimax: "MiniMax",
  neuphonic: "Neuphonic",
  openai: "OpenAI",
  playht: "PlayHT",
  polly: "Amazon Polly",
  rime: "Rime",
  smallest: "Smallest AI",
};

/** ElevenLabs' premade voices, https://elevenlabs.io/docs/product/voices/default-voices. */
const PREMADE: { readonly [name: string]: string } = {
  Adam: "pNInz6obpgDQGcFmaJgB",
  Alice: "Xb7hH8MSUJpSbSDYk0k2",
  Bill: "pqHfZKP75CvOlQylNhV4",
  Brian: "nPczCjzI2devNBz1zQrb",
  Callum: "N2lVS1w4EtoT3dr4eOWO",
  Charlie: "IKne3meq5aSn9XLyUdCD",
  Charlotte: "XB0fDUnXU5powFXDhCwa",
  Chris: "iP95p4xoKVk53GoZ742B",
  Daniel: "onwK4e9ZLuTAKqWW03F9",
  Drew: "29vD33N1CtxCmqQRPOHJ",
  Eric: "cjVigY5qzO86Huf0OWal",
  George: "JBFqnCBsd6RMkjVDRZzb",
  Jessica: "cgSgspJ2msm6clMCkdW9",
  Laura: "FGY2WhTYpPnrIDTdsKH5",
  Liam: "TX3LPaxmHKxFdv7VOQHJ",
  Lily: "pFZP5JQG7iQjIQuC4Bku",
  Matilda: "XrExE9yKIg1WjnnlVkGX",
  Rachel: "21m00Tcm4TlvDq8ikWAM",
  River: "SAz9YHcvj6GT2YYXdXww",
  Sarah: "EXAVITQu4vr4xnSDxMaL",
  Will: "bIHbv24MWmeRgasZH58o",
};

/** ElevenLabs' voice of an id or a name. Ids are 20 letters and digits. */
export function elevenLabsVoice(text: string): VendorVoice {
  const plain = text.replace(/ *\(.*\)$/, "");
  const known = Object.entries(PREMADE).find(([name, id]) => id === text || name.toLowerCase() === plain.toLowerCase());
  if (known) return { vendor: "elevenlabs", name: known[0], id: known[1] };
  return { vendor: "elevenlabs", ...(/^[A-Za-z0-9]{20}$/.test(text) ? { id: text } : { name: text }) };
}

/** A voice in words: `ElevenLabs' Sarah`. */
export function voiceWords({ vendor, id, name }: VendorVoice): string {
  const title = VOICE_VENDORS[vendor] ?? vendor;
  return `${title}${title.endsWith("s") ? "'" : "'s"} ${name ?? id ?? "voice"}`;
}
