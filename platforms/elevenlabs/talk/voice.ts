import { isRecord, type JsonObject, recordAt, shown } from "../../../src/base/values/mod.ts";
import {
  base64Of,
  busyEvents,
  bytesOf,
  createSoundReader,
  createSoundWriter,
  type SoundFormat,
  socketWire,
  type VoiceWire,
  type WireEvent,
} from "../../../src/call/voice/mod.ts";
import { type Conversation, readMessage } from "./messages.ts";

/** The sound of a conversation that has begun, both ways. */
interface Formats {
  readonly caller: SoundFormat;
  readonly agent: SoundFormat;
}

/**
 * Waits for the beginning of a conversation, and returns how its sound is written.
 *
 * @throws {ConnectionError}
 */
export async function conversationFormats(
  conversation: Conversation,
  { signal }: { readonly signal: AbortSignal },
): Promise<Formats> {
  const { socket, fail } = conversation;
  for (;;) {
    const message = await socket.receiveJson({ signal });
    if (!message) throw fail("vendor", "it closed the conversation before it began");
    readMessage(conversation, message);
    if (conversation.conversationId === undefined) continue;
    const about = recordAt(message, "conversation_initiation_metadata_event");
    const formatOf = (key: string): SoundFormat => {
      const [, kind, rate] = /^(pcm|ulaw)_(\d{4,5})$/.exec(String(about[key])) ?? [];
      if (kind === undefined) throw fail("vendor", `the ${key} of its conversation is ${shown(about[key])}`);
      return { encoding: kind === "pcm" ? "pcm" : "mulaw", rate: Number(rate) };
    };
    return { caller: formatOf("user_input_audio_format"), agent: formatOf("agent_output_audio_format") };
  }
}

/** Carries the sound of a conversation. */
export function conversationWire(conversation: Conversation, { caller, agent }: Formats): VoiceWire {
  const { socket, name, fail } = conversation;
  const rate = Math.max(caller.rate, agent.rate);
  const write = createSoundWriter(caller, rate);
  const sound = createSoundReader(agent, rate);
  const busy = busyEvents();
  /** Whether words must follow, because a tool has been called. */
  let isAwaited = false;
  /** The first event that was not interrupted: sound of earlier ones may still come. */
  let heardFrom = Number.NEGATIVE_INFINITY;

  const hear = ({ audio_base_64: audio, event_id: id }: JsonObject): readonly WireEvent[] => {
    if (typeof id === "number" && id < heardFrom) return [];
    if (conversation.open.size === 0) isAwaited = false;
    const samples = sound(bytesOf(audio, { name, what: '"audio"' }));
    return [{ kind: "sound", samples }, ...busy(isAwaited || conversation.open.size > 0)];
  };
  const read = (message: JsonObject): readonly WireEvent[] => {
    const { type } = message;
    if (type === "audio") return hear(recordAt(message, "audio_event"));
    if (type === "interruption") {
      const { event_id: id } = recordAt(message, "interruption_event");
      if (typeof id === "number") heardFrom = id;
      return [{ kind: "clear" }];
    }
    if (type === "agent_response_correction") {
      const { corrected_agent_response: text } = recordAt(message, `${type}_event`);
      if (typeof text !== "string") throw fail("vendor", "it sent a correction without a text");
      return [{ kind: "words", by: "agent", text, corrects: true }];
    }
    if (type === "user_transcript") {
      const { user_transcript: text } = recordAt(message, "user_transcription_event");
      return typeof text === "string" ? [{ kind: "words", by: "caller", text }] : [];
    }
    const wasOpen = conversation.open.size;
    readMessage(conversation, message);
    if (conversation.needsWords || conversation.open.size < wasOpen) isAwaited = true;
    conversation.needsWords = false;
    const events = conversation.events.splice(0).map(wireEvent);
    return [...events, ...ending(message, conversation), ...busy(isAwaited || conversation.open.size > 0)];
  };
  return socketWire({
    socket,
    rate,
    send: (samples) => socket.send({ user_audio_chunk: base64Of(write(samples)) }),
    read: (message) => read(socket.readJson(message)),
    // sound comes faster than it is played, so that some may be left when the agent ends the conversation (code 1000)
    closed: () => [{ kind: "ends", as: conversation.isTransferred ? "agent_transferred" : "agent_ended" }],
  });
}

function wireEvent(event: Conversation["events"][number]): WireEvent {
  return event.kind === "says" ? { kind: "words", by: "agent", text: event.text } : { kind: "did", event };
}

/** What a tool of the platform says of the rest of the call. */
function ending(message: JsonObject, { isTransferred }: Conversation): readonly WireEvent[] {
  const { type } = message;
  const about = typeof type === "string" ? message[type] : undefined;
  if (!isRecord(about)) return [];
  const { tool_name: tool, is_error: isError } = about;
  const isRequest = type === "agent_tool_request";
  if (tool === "skip_turn" && isRequest) return [{ kind: "passes" }];
  if (tool !== "end_call" && tool !== "transfer_to_number") return [];
  if (isRequest) return [{ kind: "ends", as: isTransferred ? "agent_transferred" : "agent_ended" }];
  return isError === true ? [{ kind: "ends", as: undefined }] : [];
}
