import { isRecord, type JsonObject, parsedJson, shown } from "../../../src/base/values/mod.ts";
import type { AgentSocket, SocketMessage } from "../../../src/call/connection/mod.ts";
import { base64Of, bytesOf } from "../../../src/call/voice/mod.ts";
import { type Field, messagesIn, numberIn, readFields, textIn, writeMessage } from "../../talking/mod.ts";
import type { Fail } from "./messages.ts";

/** What a frame of a bot has: sound, a message of RTVI, or an interruption of what it says. */
export type BotFrame =
  | { readonly kind: "sound"; readonly bytes: Uint8Array; readonly rate: number }
  | { readonly kind: "message"; readonly message: JsonObject }
  | { readonly kind: "interruption" }
  | { readonly kind: "other" };

/** How a bot's socket writes frames. */
export interface Framing {
  /** @throws {ConnectionError} `vendor` for what is no frame. */
  readonly read: (message: SocketMessage) => BotFrame;
  readonly sendSound: (bytes: Uint8Array, rate: number) => void;
  readonly sendMessage: (type: string, data: object) => void;
}

/**
 * Frames in JSON, as bots with the entry `eval` have them.
 *
 * @see pipecat-ai 1.14.0, `evals/serializer.py`, `serializers/rtvi_client.py`
 */
export function jsonFraming(
  socket: AgentSocket,
  { name, fail }: { readonly name: string; readonly fail: Fail },
): Framing {
  let sent = 0;
  const sendMessage: Framing["sendMessage"] = (type, data) => {
    sent += 1;
    socket.send({ label: "rtvi-ai", type, id: String(sent), data });
  };
  return {
    sendMessage,
    sendSound: (bytes, sampleRate) =>
      sendMessage("raw-audio", { base64Audio: base64Of(bytes), sampleRate, numChannels: 1 }),
    read: (given) => {
      const message = socket.readJson(given);
      const { label, type, data } = message;
      if (label !== "rtvi-ai") return { kind: "other" };
      if (type === "bot-interrupted") return { kind: "interruption" };
      if (type !== "eval-bot-audio") return { kind: "message", message };
      const { audio, sampleRate } = isRecord(data) ? data : {};
      const bytes = bytesOf(audio, { name, what: '"eval-bot-audio"' });
      return { kind: "sound", bytes, rate: rateOf(sampleRate, fail) };
    },
  };
}

/** Fields of `Frame` and of the messages in it. */
const FRAME = { audio: 2, message: 4, interruption: 5 } as const;
const AUDIO = { audio: 3, sampleRate: 4, channels: 5 } as const;
const MESSAGE_DATA = 1;

/**
 * Frames in protobuf, as the sockets of production bots and of bots before 1.13 have them.
 *
 * @see pipecat-ai 1.14.0, `frames/frames.proto`
 */
export function protobufFraming(socket: AgentSocket, { fail }: { readonly fail: Fail }): Framing {
  let sent = 0;
  return {
    sendMessage: (type, data) => {
      sent += 1;
      const text = JSON.stringify({ label: "rtvi-ai", type, id: String(sent), data });
      socket.send(writeMessage([FRAME.message, writeMessage([MESSAGE_DATA, text])]));
    },
    sendSound: (bytes, rate) => {
      const sound = writeMessage([AUDIO.audio, bytes], [AUDIO.sampleRate, rate], [AUDIO.channels, 1]);
      socket.send(writeMessage([FRAME.audio, sound]));
    },
    read: (given) => {
      if (typeof given === "string") throw fail("vendor", 'it sent a text, and no protobuf: set frames: "json"');
      try {
        return frameOf(readFields(given), fail);
      } catch (error) {
        if (error instanceof RangeError || error instanceof TypeError)
          throw fail("vendor", `it sent ${given.length} bytes that are no frame: ${error.message}`);
        throw error;
      }
    },
  };
}

function frameOf(fields: readonly Field[], fail: Fail): BotFrame {
  const [audio] = messagesIn(fields, FRAME.audio);
  if (audio) {
    const bytes = audio.findLast(({ number }) => number === AUDIO.audio)?.value;
    const channels = numberIn(audio, AUDIO.channels);
    if (channels > 1) throw fail("vendor", `its sound has ${channels} channels`);
    const rate = rateOf(numberIn(audio, AUDIO.sampleRate), fail);
    return { kind: "sound", bytes: bytes instanceof Uint8Array ? bytes : new Uint8Array(), rate };
  }
  const [message] = messagesIn(fields, FRAME.message);
  if (message) {
    const data = parsedJson(textIn(message, MESSAGE_DATA) ?? "");
    if (!isRecord(data)) throw fail("vendor", "it sent a message that is no JSON object");
    if (data.label !== "rtvi-ai") return { kind: "other" };
    return data.type === "bot-interrupted" ? { kind: "interruption" } : { kind: "message", message: data };
  }
  return fields.some(({ number }) => number === FRAME.interruption) ? { kind: "interruption" } : { kind: "other" };
}

function rateOf(value: unknown, fail: Fail): number {
  if (typeof value === "number" && value >= 4_000 && value <= 192_000) return value;
  throw fail("vendor", `its sound has the rate ${shown(value)}`);
}
