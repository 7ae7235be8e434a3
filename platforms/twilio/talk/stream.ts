import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import { isRecord, type JsonObject } from "../../../src/base/values/mod.ts";
import { decodeMuLaw, encodeMuLaw } from "../../../src/call/audio/mod.ts";
import { type AgentSocket, connectionFailure } from "../../../src/call/connection/mod.ts";
import type { VoiceSetup, WireEvent } from "../../../src/call/voice/mod.ts";

/** Samples per second of every stream. */
const RATE = 8000;

/** What a stream tells the bot at its start. */
export interface StreamStart {
  /** Name of the bot in errors. */
  readonly name: string;
  readonly customParameters: { readonly [name: string]: string };
}

/**
 * Plays Twilio on an open socket to a bot: begins a bidirectional stream.
 *
 * @see https://www.twilio.com/docs/voice/media-streams/websocket-messages
 */
export function startStream(socket: AgentSocket, { name, customParameters }: StreamStart): VoiceSetup {
  const [accountSid, callSid, streamSid] = [sid("AC"), sid("CA"), sid("MZ")];
  let sent = 0;
  let chunk = 0;
  const send = (event: string, content: JsonObject) => {
    sent += 1;
    socket.send({ event, sequenceNumber: String(sent), streamSid, ...content });
  };
  const fail = (state: string) => connectionFailure(name, "vendor", state);

  const read = (message: JsonObject): WireEvent | undefined => {
    const { event } = message;
    const content = typeof event === "string" ? message[event] : undefined;
    // Twilio answers other messages with a warning (31951) and goes on
    if (event !== "media" && event !== "mark" && event !== "clear") return undefined;
    if (message.streamSid !== streamSid) throw fail(`it sent "${event}" without the streamSid of the stream`);
    if (event === "clear") return { kind: "clear" };
    if (!isRecord(content)) throw fail(`it sent "${event}" without its content`);
    if (event === "media") return { kind: "sound", samples: samplesOf(content.payload, fail) };
    const { name: mark } = content;
    if (typeof mark !== "string") throw fail('it sent "mark" without a name');
    return {
      kind: "mark",
      played: () => {
        if (socket.isOpen) send("mark", { mark: { name: mark } });
      },
    };
  };

  socket.send({ event: "connected", protocol: "Call", version: "1.0.0" });
  send("start", {
    start: {
      accountSid,
      streamSid,
      callSid,
      tracks: ["inbound"],
      mediaFormat: { encoding: "audio/x-mulaw", sampleRate: RATE, channels: 1 },
      customParameters,
    },
  });
  return {
    callId: callSid,
    wire: {
      rate: RATE,
      send: (samples, place) => {
        chunk += 1;
        const timestamp = String(Math.round((place / RATE) * 1000));
        const payload = Buffer.from(encodeMuLaw(samples)).toString("base64");
        send("media", { media: { track: "inbound", chunk: String(chunk), timestamp, payload } });
      },
      receive: async ({ signal }) => {
        for (;;) {
          const message = await socket.receiveJson({ signal });
          if (!message) return undefined;
          const event = read(message);
          if (event) return event;
        }
      },
      dtmf: (digit) => send("dtmf", { dtmf: { track: "inbound_track", digit } }),
      hangUp: async () => {
        try {
          send("stop", { stop: { accountSid, callSid } });
        } catch {
          // the bot has closed the connection
        }
        await socket.close();
      },
    },
  };
}

/** An id in Twilio's form. */
function sid(kind: "AC" | "CA" | "MZ"): string {
  return `${kind}${randomBytes(16).toString("hex")}`;
}

function samplesOf(payload: unknown, fail: (state: string) => Error): Int16Array {
  if (typeof payload !== "string" || !/^[A-Za-z0-9+/]*={0,2}$/.test(payload))
    throw fail('it sent "media" whose payload is no base64');
  return decodeMuLaw(Buffer.from(payload, "base64"));
}
