// Written by `npm run docs` from the folders of `platforms/`.
import type { BlandFields } from "../../platforms/bland/fields/mod.ts";
import type { ElevenlabsFields } from "../../platforms/elevenlabs/fields/mod.ts";
import type { LivekitFields } from "../../platforms/livekit/fields/mod.ts";
import type { PipecatFields } from "../../platforms/pipecat/fields/mod.ts";
import type { RetellFields } from "../../platforms/retell/fields/mod.ts";
import type { TelnyxFields } from "../../platforms/telnyx/fields/mod.ts";
import type { VapiFields } from "../../platforms/vapi/fields/mod.ts";

export type * from "../../platforms/bland/fields/mod.ts";
export type * from "../../platforms/elevenlabs/fields/mod.ts";
export type * from "../../platforms/livekit/fields/mod.ts";
export type * from "../../platforms/pipecat/fields/mod.ts";
export type * from "../../platforms/retell/fields/mod.ts";
export type * from "../../platforms/telnyx/fields/mod.ts";
export type * from "../../platforms/vapi/fields/mod.ts";

/** What flows and nodes can set for each platform. */
export interface FieldsByPlatform {
  readonly bland: BlandFields;
  readonly elevenlabs: ElevenlabsFields;
  readonly livekit: LivekitFields;
  readonly pipecat: PipecatFields;
  readonly retell: RetellFields;
  readonly telnyx: TelnyxFields;
  readonly vapi: VapiFields;
}

/** The agent's voice per platform, because voice ids differ. */
export interface FlowVoice {
  /** Name or id of Bland's voice, such as `josh`. Calls have it, not pathways. */
  readonly bland?: BlandFields["voice"];
  /** ElevenLabs' voice id, such as `cjVigY5qzO86Huf0OWal`. */
  readonly elevenlabs?: ElevenlabsFields["voice"];
  /** A model of LiveKit Inference with a voice, such as `cartesia/sonic-3:ID`. */
  readonly livekit?: LivekitFields["voice"];
  /** A flow of Pipecat has no voice: the program chooses it. */
  readonly pipecat?: PipecatFields["voice"];
  /** Retell's voice id, such as `11labs-Adrian`. */
  readonly retell?: RetellFields["voice"];
  /** Telnyx's name of a voice, such as `Telnyx.KokoroTTS.af`. */
  readonly telnyx?: TelnyxFields["voice"];
  /** Vapi's provider and voice, such as `{ provider: "11labs", voiceId: "sarah" }`. */
  readonly vapi?: VapiFields["voice"];
}
