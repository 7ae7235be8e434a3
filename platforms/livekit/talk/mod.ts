import type { TalkFacts } from "../../talking/mod.ts";
import { livekitConnection } from "./livekit.ts";
import { commandOf, isAddress, isServer, type LiveKitOptions } from "./options.ts";

export type { LiveKitOptions } from "./options.ts";

/** How scenarios call agents of LiveKit Agents, on this machine or in rooms. */
export const LIVEKIT_TALK: TalkFacts<"livekit", LiveKitOptions> = {
  name: "livekit",
  title: "LiveKit Agents",
  connect: (options) => livekitConnection(options),
  connectTo: ({ id, ...options }) => livekitConnection({ ...placeOf(id), ...options }),
  referenceWords: "FILE or livekit:ws://HOST[/AGENT_NAME]",
};

/** The place that a reference names: a file, an address for workers, or a server with the name of its agent. */
function placeOf(id: string): LiveKitOptions {
  if (isAddress(id)) return { listen: id };
  if (!isServer(id)) return { command: commandOf(id) };
  const { origin, protocol, host, pathname } = new URL(id);
  const agentName = decodeURIComponent(pathname.slice(1));
  return { url: origin === "null" ? `${protocol}//${host}` : origin, ...(agentName === "" ? {} : { agentName }) };
}
