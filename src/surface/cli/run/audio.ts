import { AUDIO_DIRECTIONS, AUDIO_SETTINGS } from "../../../document/settings/mod.ts";
import type { Flag } from "../arguments/mod.ts";

/** Flags that send the words of calls through audio. */
export const AUDIO_FLAGS = {
  ...AUDIO_SETTINGS,
  audio: { ...AUDIO_SETTINGS.audio, implied: { value: "agent", among: AUDIO_DIRECTIONS } },
} satisfies { readonly [name: string]: Flag };
