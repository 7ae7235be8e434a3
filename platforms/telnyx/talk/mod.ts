import type { TalkFacts } from "../../talking/mod.ts";
import { type TelnyxOptions, telnyxConnection } from "./chat.ts";

export type { TelnyxOptions } from "./chat.ts";

/** How scenarios call AI assistants of Telnyx. */
export const TELNYX_TALK: TalkFacts<"telnyx", TelnyxOptions> = {
  name: "telnyx",
  title: "Telnyx",
  connect: telnyxConnection,
  connectTo: ({ id, ...options }) => telnyxConnection({ assistantId: id, ...options }),
  referenceWords: "ASSISTANT_ID[@VERSION]",
};
