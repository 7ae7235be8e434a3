// Written by `npm run docs` from the folders of `platforms/` that have a folder `talk`.

import { BLAND_TALK } from "../bland/talk/mod.ts";
import { ELEVENLABS_TALK } from "../elevenlabs/talk/mod.ts";
import { LIVEKIT_TALK } from "../livekit/talk/mod.ts";
import { OPENAI_TALK } from "../openai/talk/mod.ts";
import { PIPECAT_TALK } from "../pipecat/talk/mod.ts";
import { RETELL_TALK } from "../retell/talk/mod.ts";
import { SIP_TALK } from "../sip/talk/mod.ts";
import type { TalkFacts } from "../talking/mod.ts";
import { TELNYX_TALK } from "../telnyx/talk/mod.ts";
import { TWILIO_TALK } from "../twilio/talk/mod.ts";
import { VAPI_TALK } from "../vapi/talk/mod.ts";

/** How scenarios call agents of each platform, by its name. */
export const TALKS = {
  bland: BLAND_TALK,
  elevenlabs: ELEVENLABS_TALK,
  livekit: LIVEKIT_TALK,
  openai: OPENAI_TALK,
  pipecat: PIPECAT_TALK,
  retell: RETELL_TALK,
  sip: SIP_TALK,
  telnyx: TELNYX_TALK,
  twilio: TWILIO_TALK,
  vapi: VAPI_TALK,
} satisfies {
  readonly [name: string]: TalkFacts;
};

/** The functions that connect to an agent of a platform, by the platform's name. */
export const PLATFORM_CONNECTIONS = {
  bland: BLAND_TALK.connect,
  elevenlabs: ELEVENLABS_TALK.connect,
  livekit: LIVEKIT_TALK.connect,
  openai: OPENAI_TALK.connect,
  pipecat: PIPECAT_TALK.connect,
  retell: RETELL_TALK.connect,
  sip: SIP_TALK.connect,
  telnyx: TELNYX_TALK.connect,
  twilio: TWILIO_TALK.connect,
  vapi: VAPI_TALK.connect,
};
