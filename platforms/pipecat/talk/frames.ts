import { isRecord, type JsonObject, parsedJson, shown } from "../../../src/base/values/mod.ts";
import type { AgentSocket, SocketMessage } from "../../../src/call/connection/mod.ts";
import { base64Of, bytesOf, createSoundReader, createSoundWriter } from "../../../src/call/voice/mod.ts";
import { type Field, messagesIn, numberIn, readFields, textIn, writeMessage } from "../../talking/mod.ts";
import type { Fail } from "./messages.ts";

/** Samples per second of a call, in both directions: the rate that bots speak with by default. */
export const BOT_RATE = 24_000;

/** What a frame of a bot has: sound, a message of RTVI, an interruption of what it says, or its goodbye. */
export type BotFrame =
  | { readonly kind: "sound"; readonly samples: Int16Array }
  | { readonly kind: "message"; readonly message: JsonObject }
  | { readonly kind: "interruption" }
  | { readonly kind: "left" }
  | { readonly kind: "other" };

/** How a bot's frames are written. */
export interface Framing<Message = SocketMessage> {
  /** @throws {ConnectionError} `vendor` for what is no frame. */
  readonly read: (message: Message) => BotFrame;
  /** Sends a frame of the caller's sound, at its place of the call. */
  readonly sendSound: (samples: Int16Array, place: number) => void;
  readonly sendMessage: (type: string, data: object) => void;
}

/** What framings over a socket need. */
interface FramingOptions {
  readonly name: string;
  readonly fail: Fail;
  /** Rate that the bot hears, which does not convert it. */
  readonly inputRate: number;
}

/** Reads sound of any rate, which may change from frame to frame. */
function soundReader(): (bytes: Uint8Array, rate: number) => BotFrame {
  const readers = new Map<number, (bytes: Uint8Array) => Int16Array>();
  return (bytes, rate) => {
    const read = readers.get(rate) ?? createSoundReader({ encoding: "pcm", rate }, BOT_RATE);
    readers.set(rate, read);
    return { kind: "sound", samples: read(bytes) };
  };
}

/**
 * Frames in JSON, as bots with the entry `eval` have them.
 *
 * @see pipecat-ai 1.14.0, `evals/serializer.py`, `serializers/rtvi_client.py`
 */
export function jsonFraming(socket: AgentSocket, { name, fail, inputRate }: FramingOptions): Framing {
  const [hear, write] = [soundReader(), createSoundWriter({ encoding: "pcm", rate: inputRate }, BOT_RATE)];
  let sent = 0;
  const sendMessage: Framing["sendMessage"] = (type, data) => {
    sent += 1;
    socket.send({ label: "rtvi-ai", type, id: String(sent), data });
  };
  return {
    sendMessage,
    sendSound: (samples) =>
      sendMessage("raw-audio", { base64Audio: base64Of(write(samples)), sampleRate: inputRate, numChannels: 1 }),
    read: (given) => {
      const message = socket.readJson(given);
      const { label, type, data } = message;
      if (label !== "rtvi-ai") return { kind: "other" };
      if (type === "bot-interrupted") return { kind: "interruption" };
      if (type !== "eval-bot-audio") return { kind: "message", message };
      const { audio, sampleRate } = isRecord(data) ? data : {};
      const bytes = bytesOf(audio, { name, what: '"eval-bot-audio"' });
      return hear(bytes, rateOf(sampleRate, fail));
    },
  };
}

/** What a message of RTVI says. Another one is none of it. */
export function messageFrame(message: JsonObject): BotFrame {
  if (message.label !== "rtvi-ai") return { kind: "other" };
  return message.type === "bot-interrupted" ? { kind: "interruption" } : { kind: "message", message };
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
export function protobufFraming(socket: AgentSocket, { fail, inputRate }: Omit<FramingOptions, "name">): Framing {
  const [hear, write] = [soundReader(), createSoundWriter({ encoding: "pcm", rate: inputRate }, BOT_RATE)];
  let sent = 0;
  return {
    sendMessage: (type, data) => {
      sent += 1;
      const text = JSON.stringify({ label: "rtvi-ai", type, id: String(sent), data });
      socket.send(writeMessage([FRAME.message, writeMessage([MESSAGE_DATA, text])]));
    },
    sendSound: (samples) => {
      const sound = writeMessage([AUDIO.audio, write(samples)], [AUDIO.sampleRate, inputRate], [AUDIO.channels, 1]);
      socket.send(writeMessage([FRAME.audio, sound]));
    },
    read: (given) => {
      if (typeof given === "string") throw fail("vendor", 'it sent a text, and no protobuf: set frames: "json"');
      try {
        return frameOf(readFields(given), fail, hear);
      } catch (error) {
        if (error instanceof RangeError || error instanceof TypeError)
          throw fail("vendor", `it sent ${given.length} bytes that are no frame: ${error.message}`);
        throw error;
      }
    },
  };
}

function frameOf(fields: readonly Field[], fail: Fail, hear: ReturnType<typeof soundReader>): BotFrame {
  const [audio] = messagesIn(fields, FRAME.audio);
  if (audio) {
    const bytes = audio.findLast(({ number }) => number === AUDIO.audio)?.value;
    const channels = numberIn(audio, AUDIO.channels);
    if (channels > 1) throw fail("vendor", `its sound has ${channels} channels`);
    const rate = rateOf(numberIn(audio, AUDIO.sampleRate), fail);
    return hear(bytes instanceof Uint8Array ? bytes : new Uint8Array(), rate);
  }
  const [message] = messagesIn(fields, FRAME.message);
  if (message) {
    const data = parsedJson(textIn(message, MESSAGE_DATA) ?? "");
    if (!isRecord(data)) throw fail("vendor", "it sent a message that is no JSON object");
    return messageFrame(data);
  }
  return fields.some(({ number }) => number === FRAME.interruption) ? { kind: "interruption" } : { kind: "other" };
}

function rateOf(value: unknown, fail: Fail): number {
  if (typeof value === "number" && value >= 4_000 && value <= 192_000) return value;
  throw fail("vendor", `its sound has the rate ${shown(value)}`);
}
