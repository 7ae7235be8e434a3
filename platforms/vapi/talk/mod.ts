import type { TalkFacts } from "../../talking/mod.ts";
import { VAPI_TRAITS } from "../traits/mod.ts";
import { type VapiOptions, vapiConnection, vapiConnectionTo } from "./chat.ts";

export type { VapiChatOptions, VapiOptions } from "./chat.ts";

/** How scenarios call agents of Vapi. */
export const VAPI_TALK: TalkFacts<"vapi", VapiOptions> = {
  name: "vapi",
  title: VAPI_TRAITS.title,
  connect: (options) => vapiConnection(options),
  connectTo: vapiConnectionTo,
  voice: "optional",
  referenceWords: "ASSISTANT_ID|SQUAD_ID",
};
