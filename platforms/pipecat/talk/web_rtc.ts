import { isRecord, parsedJson, shown } from "../../../src/base/values/mod.ts";
import { type AgentClient, connectionFailure, type OpenOptions } from "../../../src/call/connection/mod.ts";
import type { IceServer, Rtc, RtcEvent, RtcPeer } from "../../../src/call/rtc/mod.ts";
import { type BotFrame, type Framing, messageFrame } from "./frames.ts";
import type { Fail } from "./messages.ts";

/** How a bot is called over WebRTC. */
export interface BotPeerOptions {
  readonly name: string;
  /** Where the bot takes offers. */
  readonly url: string;
  readonly client: AgentClient;
  readonly iceServers: readonly IceServer[];
  readonly open: OpenOptions;
}

/** How long the connection may take, in milliseconds. */
const CONNECT_MS = 15_000;
/** Bots take a caller for lost of whom they hear nothing for 3 seconds. */
const PING_MS = 1_000;

/**
 * Connects to a bot with a `SmallWebRTCTransport`.
 *
 * @see pipecat-ai 1.14.0, `transports/smallwebrtc/connection.py` and `request_handler.py`
 * @throws {ConnectionError}
 */
export async function connectBot(rtc: Rtc, options: BotPeerOptions): Promise<RtcPeer> {
  const { name, url, client, iceServers, open } = options;
  const { signal, pauseClock } = open;
  const { withoutSecrets } = client;
  for (const { credential } of iceServers) client.hide(credential ?? "");
  const limits = { connectTimeoutMs: CONNECT_MS, signal, pauseClock };
  const made = { name, channel: "rtvi", iceServers, url, withoutSecrets, ...limits };
  let peer: RtcPeer | undefined;
  try {
    peer = await rtc.createPeer(made);
    const answer = await client.post({ sdp: peer.offer, type: "offer" }, open);
    if (!isRecord(answer) || answer.type !== "answer" || typeof answer.sdp !== "string")
      throw connectionFailure(name, "vendor", `its answer to the offer is ${withoutSecrets(shown(answer))}`);
    await peer.connect(answer.sdp);
    return pinging(peer);
  } catch (error) {
    await peer?.close();
    throw error;
  }
}

/** Tells the bot that the caller is there, until the connection is closed. */
function pinging(peer: RtcPeer): RtcPeer {
  const pings = setInterval(() => {
    if (peer.isOpen) peer.sendMessage("ping");
  }, PING_MS);
  return {
    offer: peer.offer,
    get isOpen() {
      return peer.isOpen;
    },
    connect: async (answer) => await peer.connect(answer),
    sendSound: (samples, place) => peer.sendSound(samples, place),
    sendMessage: (text) => peer.sendMessage(text),
    receive: async (request) => await peer.receive(request),
    close: async () => {
      clearInterval(pings);
      await peer.close();
    },
  };
}

/** Sound on its track, and messages of RTVI on the channel. */
export function rtcFraming(peer: RtcPeer, { fail }: { readonly fail: Fail }): Framing<RtcEvent> {
  let sent = 0;
  return {
    sendMessage: (type, data) => {
      sent += 1;
      peer.sendMessage(JSON.stringify({ label: "rtvi-ai", type, id: String(sent), data }));
    },
    sendSound: (samples, place) => peer.sendSound(samples, place),
    read: (event): BotFrame => {
      if (event.kind === "sound") return event;
      const { message } = event;
      const data = typeof message === "string" ? parsedJson(message) : undefined;
      if (!isRecord(data)) throw fail("vendor", `it sent a message that is no JSON object: ${shown(message)}`);
      const said = data.type === "signalling" && isRecord(data.message) ? data.message.type : undefined;
      return said === "peerLeft" ? { kind: "left" } : messageFrame(data);
    },
  };
}
