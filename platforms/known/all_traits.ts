// Written by `npm run docs` from the folders of `platforms/` that have a folder `traits`.
import { BLAND_TRAITS } from "../bland/traits/mod.ts";
import { ELEVENLABS_TRAITS } from "../elevenlabs/traits/mod.ts";
import { LIVEKIT_TRAITS } from "../livekit/traits/mod.ts";
import { PIPECAT_TRAITS } from "../pipecat/traits/mod.ts";
import { RETELL_TRAITS } from "../retell/traits/mod.ts";
import { TELNYX_TRAITS } from "../telnyx/traits/mod.ts";
import { VAPI_TRAITS } from "../vapi/traits/mod.ts";

/** The traits of every platform, by its name. */
export const ALL_TRAITS = { bland: BLAND_TRAITS, elevenlabs: ELEVENLABS_TRAITS, livekit: LIVEKIT_TRAITS, pipecat: PIPECAT_TRAITS, retell: RETELL_TRAITS, telnyx: TELNYX_TRAITS, vapi: VAPI_TRAITS };

/** Name of a platform: the first word of its formats. */
export type PlatformName = keyof typeof ALL_TRAITS;

/** Names of the platforms. */
export const PLATFORM_NAMES: readonly PlatformName[] = ["bland", "elevenlabs", "livekit", "pipecat", "retell", "telnyx", "vapi"];
