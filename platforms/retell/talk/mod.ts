import type { TalkFacts } from "../../talking/mod.ts";
import { RETELL_TRAITS } from "../traits/mod.ts";
import type { RetellOptions } from "./options.ts";
import { retellConnection } from "./playground.ts";

export type { RetellOptions } from "./options.ts";

/** How scenarios call agents of Retell. */
export const RETELL_TALK: TalkFacts<"retell", RetellOptions> = {
  name: "retell",
  title: RETELL_TRAITS.title,
  connect: (options) => retellConnection(options),
  connectTo: ({ id, ...options }) => retellConnection({ agentId: id, ...options }),
  voice: "optional",
  referenceWords: "AGENT_ID[@VERSION]",
};
