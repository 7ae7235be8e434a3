import { recordAt } from "../../src/base/values/mod.ts";
import type { AgentGraph } from "../../src/document/graph/mod.ts";
import { type CarriedSetting, elevenLabsVoice, type VendorVoice } from "../voices.ts";

/** Vendors by the beginning of Retell's voice ids, https://docs.retellai.com/build/voice-settings. */
const VENDORS: { readonly [beginning: string]: string } = {
  "11labs": "elevenlabs",
  cartesia: "cartesia",
  deepgram: "deepgram",
  minimax: "minimax",
  openai: "openai",
};

/** Reads a Retell voice id, such as `11labs-Adrian`. Voices of Retell's own, and cloned ones, are no other vendor's. */
function retellVoice(id: string): VendorVoice {
  const [, beginning = "", name = ""] = /^([a-z0-9]+)-(.+)$/.exec(id) ?? [];
  const vendor = Object.hasOwn(VENDORS, beginning) ? VENDORS[beginning] : undefined;
  if (vendor === undefined) return { vendor: "retell", name: id };
  if (vendor === "elevenlabs") return elevenLabsVoice(name);
  return vendor === "openai" ? { vendor, id: name.toLowerCase(), name } : { vendor, name };
}

/** Retell's id of a vendor's voice. Only OpenAI's voices have the same names at Retell; others have Retell's own. */
export function retellVoiceFrom({ vendor, id = "" }: VendorVoice): string | undefined {
  if (vendor !== "openai" || !/^[a-z]+$/.test(id)) return undefined;
  return `openai-${id.charAt(0).toUpperCase()}${id.slice(1)}`;
}

/** Voice and language of an imported Retell agent. */
export function retellCarried({ source_metadata: source }: AgentGraph): readonly CarriedSetting[] {
  const at = ["source_metadata", "retell", "agent"];
  const { voice_id: voice, language } = recordAt(recordAt(source, "retell"), "agent");
  return [
    ...(typeof voice === "string" && voice !== ""
      ? [{ kind: "voice", voice: retellVoice(voice), words: voice, paths: [[...at, "voice_id"]] } as const]
      : []),
    ...(typeof language === "string" && language !== ""
      ? [{ kind: "language", language, paths: [[...at, "language"]] } as const]
      : []),
  ];
}
