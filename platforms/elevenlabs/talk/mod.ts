import type { TalkFacts } from "../../talking/mod.ts";
import { type ElevenLabsOptions, elevenLabsConnection } from "./conversation.ts";

export type { ElevenLabsOptions } from "./conversation.ts";

/** How scenarios call agents of ElevenLabs. */
export const ELEVENLABS_TALK: TalkFacts<"elevenlabs", ElevenLabsOptions> = {
  name: "elevenlabs",
  title: "ElevenLabs",
  connect: elevenLabsConnection,
  connectTo: ({ id, ...options }) => elevenLabsConnection({ agentId: id, ...options }),
  referenceWords: "AGENT_ID[@VERSION]",
};
