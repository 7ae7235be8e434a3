// Written by `npm run docs` from the folders of `platforms/` that have a folder `traits`.
import type { PlatformName } from "../known/mod.ts";
import type { PlatformFacts } from "../facts.ts";
import { BLAND } from "../bland/mod.ts";
import { ELEVENLABS } from "../elevenlabs/mod.ts";
import { LIVEKIT } from "../livekit/mod.ts";
import { PIPECAT } from "../pipecat/mod.ts";
import { RETELL } from "../retell/mod.ts";
import { TELNYX } from "../telnyx/mod.ts";
import { VAPI } from "../vapi/mod.ts";

type Facts = { readonly [Name in PlatformName]: PlatformFacts<Name> };

/** Everything about every platform, by its name. */
export const PLATFORMS = { bland: BLAND, elevenlabs: ELEVENLABS, livekit: LIVEKIT, pipecat: PIPECAT, retell: RETELL, telnyx: TELNYX, vapi: VAPI } satisfies Facts;

/** The formats of every platform. */
export const PLATFORM_FORMATS = [...BLAND.formats, ...ELEVENLABS.formats, ...LIVEKIT.formats, ...PIPECAT.formats, ...RETELL.formats, ...TELNYX.formats, ...VAPI.formats] as const;
