import type { TalkFacts } from "../../talking/mod.ts";
import { type ElevenLabsOptions, elevenLabsConnection } from "./conversation.ts";

export type { ElevenLabsOptions } from "./conversation.ts";

/** How scenarios call agents of ElevenLabs. */
export const ELEVENLABS_TALK: TalkFacts<"elevenlabs", ElevenLabsOptions> = {
  name: "elevenlabs",
  title: "ElevenLabs",
  connect: (options) => elevenLabsConnection(options),
  connectTo: ({ id, ...options }) => {
    // a deployed branch is AGENT_ID@BRANCH_ID
    const [agentId = "", branchId] = id.split("@");
    return elevenLabsConnection({ agentId, ...(branchId === undefined ? {} : { branchId }), ...options });
  },
  voice: "optional",
  referenceWords: "AGENT_ID[@VERSION]",
};
