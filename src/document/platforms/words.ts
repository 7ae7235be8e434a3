import { PLATFORM_DATA, PLATFORM_NAMES } from "./generated/mod.ts";

/** What a voice by platform has for each: `a voice id at Retell, an object of provider and voiceId at Vapi`. */
export const VOICE_WORDS: string = PLATFORM_NAMES.map((name) => {
  const { title, words } = PLATFORM_DATA[name];
  return `${words.voice} at ${title}`;
}).join(", ");

/** The environment variables of the platforms' keys. */
export const KEY_VARIABLES: readonly string[] = PLATFORM_NAMES.map((name) => PLATFORM_DATA[name].keyVariable);
