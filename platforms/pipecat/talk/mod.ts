import type { TalkFacts } from "../../talking/mod.ts";
import { type PipecatOptions, pipecatConnection } from "./bot.ts";

export type { PipecatOptions } from "./bot.ts";

/** How scenarios call bots of Pipecat. */
export const PIPECAT_TALK: TalkFacts<"pipecat", PipecatOptions> = {
  name: "pipecat",
  title: "Pipecat",
  connect: (options) => pipecatConnection(options),
  connectTo: ({ id, baseUrl: _, fetch: __, ...options }) => pipecatConnection({ url: id, ...options }),
  voice: "optional",
  referenceWords: "ws://HOST:PORT/ws",
};
