// Written by `npm run docs` from the folders of `platforms/`.
import type { RetellFields } from "../../platforms/retell/fields/mod.ts";
import type { VapiFields } from "../../platforms/vapi/fields/mod.ts";

export type * from "../../platforms/retell/fields/mod.ts";
export type * from "../../platforms/vapi/fields/mod.ts";

/** What flows and nodes can set for each platform. */
export interface FieldsByPlatform {
  readonly retell: RetellFields;
  readonly vapi: VapiFields;
}

/** The agent's voice per platform, because voice ids differ. */
export interface FlowVoice {
  /** Retell's voice id, such as `11labs-Adrian`. */
  readonly retell?: RetellFields["voice"];
  /** Vapi's provider and voice, such as `{ provider: "11labs", voiceId: "sarah" }`. */
  readonly vapi?: VapiFields["voice"];
}
