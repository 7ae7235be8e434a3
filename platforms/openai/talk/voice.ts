import { type JsonObject, recordAt, records, shorten } from "../../../src/base/values/mod.ts";
import { type AgentClient, type AgentSocket, connectionFailure } from "../../../src/call/connection/mod.ts";
import {
  base64Of,
  busyEvents,
  bytesOf,
  createSoundReader,
  createSoundWriter,
  type ReadMessage,
  type SoundFormat,
  socketWire,
  type VoiceWire,
  type WireEvent,
} from "../../../src/call/voice/mod.ts";
import { type Fail, faultOf, MOST_RESPONSES, type OutputOptions, refuseBroken, takeOutput } from "./output.ts";

/** The only rate of PCM that the API has. */
const FORMAT: SoundFormat = { encoding: "pcm", rate: 24_000 };

/** The settings of a session by voice. Those of the user stand, but for the format. */
export function voiceSession(session: JsonObject): JsonObject {
  const audio = recordAt(session, "audio");
  const format = { type: "audio/pcm", rate: FORMAT.rate };
  return {
    output_modalities: ["audio"],
    audio: {
      ...audio,
      input: { ...recordAt(audio, "input"), format },
      output: { ...recordAt(audio, "output"), format },
    },
  };
}

interface SessionOptions extends OutputOptions {
  readonly name: string;
  readonly client: Pick<AgentClient, "withoutSecrets">;
  /** Whether the caller's voice interrupts the model. */
  readonly interrupts: boolean;
}

/** A message of the model, and where its sound is played. */
interface PlayedItem {
  readonly id: unknown;
  readonly content: unknown;
  readonly from: number;
  until: number;
}

/** Codes of errors after which the session goes on: two responses were asked for at once, or none was left to cancel. */
const HARMLESS: readonly unknown[] = ["conversation_already_has_active_response", "response_cancel_not_active"];

/** Carries the sound of a session. The model hears the end of the caller's turn itself. */
export function sessionWire(socket: AgentSocket, options: SessionOptions): VoiceWire {
  const { name, client, interrupts } = options;
  const fail: Fail = (kind, words) => connectionFailure(name, kind, shorten(client.withoutSecrets(words), 300));
  const [sound, write] = [createSoundReader(FORMAT, FORMAT.rate), createSoundWriter(FORMAT, FORMAT.rate)];
  const busy = busyEvents();
  const played: PlayedItem[] = [];
  let now = 0;
  let [responseId, interrupted]: unknown[] = [];
  /** Of the current response. */
  let current = { items: [] as JsonObject[], hasSound: false, hasWords: false };
  /** Responses since one that called no function. */
  let calls = 0;

  const hear = (message: JsonObject): readonly WireEvent[] => {
    const { item_id: id, content_index: content, response_id: response, delta } = message;
    if (interrupted !== undefined && response === interrupted) return [];
    const samples = sound(bytesOf(delta, { name, what: '"response.output_audio.delta"' }));
    const last = played.at(-1);
    const from = Math.max(now, last?.until ?? 0);
    if (last?.id === id && from === last?.until) last.until += samples.length;
    else played.push({ id, content, from, until: from + samples.length });
    current.hasSound = true;
    return [{ kind: "sound", samples }];
  };
  /** The caller speaks: what was not played is dropped, and the model is told how much of it was heard. */
  const interrupt = (): readonly WireEvent[] => {
    if (!interrupts) return [];
    interrupted = responseId;
    for (const { id, content, from, until } of played.splice(0)) {
      if (until <= now) continue;
      const ms = Math.max(0, Math.round(((now - from) / FORMAT.rate) * 1000));
      socket.send({ type: "conversation.item.truncate", item_id: id, content_index: content, audio_end_ms: ms });
    }
    return [{ kind: "clear" }];
  };
  const finish = (response: JsonObject): ReadMessage => {
    const { items, hasSound, hasWords } = current;
    current = { items: [], hasSound: false, hasWords: false };
    const { reason } = recordAt(response, "status_details");
    const isInterrupted = response.status === "cancelled" && reason !== undefined;
    if (isInterrupted) return busy(false);
    refuseBroken(response, fail);
    const output = records(response.output);
    const { events, answers, ended } = takeOutput(output.length > 0 ? output : items, options, fail);
    for (const item of answers) socket.send({ type: "conversation.item.create", item });
    const found = events.flatMap((event): readonly WireEvent[] => {
      if (event.kind !== "says") return [{ kind: "did", event }];
      return hasWords ? [] : [{ kind: "words", by: "agent", text: event.text }];
    });
    if (ended) return { over: [...found, { kind: "ends", as: ended }, ...busy(false)] };
    if (answers.length > 0) {
      calls += 1;
      if (calls >= MOST_RESPONSES) throw fail("vendor", `it only calls functions, ${calls} times in a turn`);
      socket.send({ type: "response.create" });
      return [...found, ...busy(true)];
    }
    calls = 0;
    return [...found, ...(hasSound ? [] : [{ kind: "passes" } as const]), ...busy(false)];
  };
  return socketWire({
    socket,
    rate: FORMAT.rate,
    send: (samples, place) => {
      now = place + samples.length;
      socket.send({ type: "input_audio_buffer.append", audio: base64Of(write(samples)) });
    },
    read: (given) => {
      const message = socket.readJson(given);
      switch (message.type) {
        case "error": {
          const error = recordAt(message, "error");
          if (HARMLESS.includes(error.code)) return [];
          throw faultOf(error, fail);
        }
        case "response.created":
          responseId = recordAt(message, "response").id;
          return busy(true);
        case "response.output_audio.delta":
          return hear(message);
        case "response.output_audio_transcript.done": {
          const { transcript } = message;
          if (typeof transcript !== "string") throw fail("vendor", "it sent a transcript without a text");
          current.hasWords = true;
          return [{ kind: "words", by: "agent", text: transcript }];
        }
        case "conversation.item.input_audio_transcription.completed": {
          const { transcript } = message;
          return typeof transcript === "string" ? [{ kind: "words", by: "caller", text: transcript }] : [];
        }
        case "response.output_item.done":
          current.items.push(recordAt(message, "item"));
          return [];
        case "input_audio_buffer.speech_started":
          return interrupt();
        case "response.done":
          return finish(recordAt(message, "response"));
        default:
          return [];
      }
    },
  });
}
