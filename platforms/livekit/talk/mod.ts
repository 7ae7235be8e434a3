import type { TalkFacts } from "../../talking/mod.ts";
import { commandOf, isAddress, type LiveKitOptions, livekitConnection } from "./livekit.ts";

export type { LiveKitOptions } from "./livekit.ts";

/** How scenarios call agents of LiveKit Agents on this machine. */
export const LIVEKIT_TALK: TalkFacts<"livekit", LiveKitOptions> = {
  name: "livekit",
  title: "LiveKit Agents",
  connect: livekitConnection,
  connectTo: ({ id, ...options }) =>
    livekitConnection({ ...(isAddress(id) ? { listen: id } : { command: commandOf(id) }), ...options }),
  referenceWords: "FILE",
};
