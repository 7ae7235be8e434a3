import type { TalkFacts } from "../../talking/mod.ts";
import { type OpenAIOptions, openAIConnection } from "./realtime.ts";

export type { OpenAIOptions } from "./realtime.ts";

/** How scenarios call models of OpenAI's Realtime API. */
export const OPENAI_TALK: TalkFacts<"openai", OpenAIOptions> = {
  name: "openai",
  title: "OpenAI Realtime",
  connect: (options) => openAIConnection(options),
  connectTo: ({ id, ...options }) => openAIConnection({ model: id, ...options }),
  voice: "optional",
  referenceWords: "MODEL",
};
