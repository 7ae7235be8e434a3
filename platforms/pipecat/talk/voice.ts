import { isRecord, type JsonObject } from "../../../src/base/values/mod.ts";
import {
  busyEvents,
  type MessageSource,
  type ReadMessage,
  socketWire,
  type VoiceWire,
  type WireEvent,
} from "../../../src/call/voice/mod.ts";
import { BOT_RATE, type Framing } from "./frames.ts";
import { type BotState, endingOf, type Fail, flush, readMessage } from "./messages.ts";

/** Samples of silence are not louder. */
const SILENT = 300;

interface BotVoice<Message> {
  readonly framing: Framing<Message>;
  readonly state: BotState;
  readonly fail: Fail;
  readonly transfers: readonly string[];
  /** Says that the call ends. */
  readonly bye: () => void;
}

/** Carries the sound of a bot. It waits until the bot is ready, unless the bot may never say so. */
export async function startBotWire<Message>(
  socket: MessageSource<Message>,
  { isAwaited, signal, ...voice }: BotVoice<Message> & { readonly isAwaited: boolean; readonly signal: AbortSignal },
): Promise<VoiceWire> {
  const { framing, state, fail, bye } = voice;
  const read = frameReader(voice);
  const early: WireEvent[] = [];
  while (isAwaited && !state.isReady) {
    const message = await socket.receive({ signal });
    const found = message === undefined ? undefined : read(message);
    if (!found || "over" in found) throw fail("vendor", "it closed the connection before it was ready");
    early.push(...found);
  }
  return socketWire({ socket, rate: BOT_RATE, early, send: framing.sendSound, read, bye });
}

function frameReader<Message>(voice: BotVoice<Message>): (given: Message) => ReadMessage {
  const { framing, state, fail, transfers } = voice;
  const busy = busyEvents();
  let isSpeaking = false;
  /** Whether words must follow that were not heard yet. */
  let isAwaited = false;
  /** Calls of functions whose names the bot does not tell. */
  let unnamed = 0;
  let hasText = false;
  let ends: string | undefined;

  const isOpen = () => state.running.size > 0 || state.announced > 0 || unnamed > 0;
  const busyNow = () => busy(isSpeaking || isAwaited || state.isAnswering || isOpen());
  const hear = (samples: Int16Array): readonly WireEvent[] => {
    // a track of sound has silence, too
    if (!isOpen() && samples.some((sample) => Math.abs(sample) > SILENT)) isAwaited = false;
    return [{ kind: "sound", samples }, ...busyNow()];
  };
  const interrupt = (): readonly WireEvent[] => {
    flush(state);
    Object.assign(state, { isAnswering: false, calls: false, isOver: false });
    [isSpeaking, isAwaited] = [false, false];
    return [...done(), { kind: "clear" }, ...busyNow()];
  };
  const done = (): readonly WireEvent[] =>
    state.events.splice(0).map((event) => {
      return event.kind === "says" ? { kind: "words", by: "agent", text: event.text } : { kind: "did", event };
    });
  /** A bot that transfers the call closes the connection after it. */
  const ending = (): readonly WireEvent[] => {
    const as = endingOf(state, transfers) === "agent_transferred" ? "agent_transferred" : undefined;
    if (as === ends) return [];
    ends = as;
    return [{ kind: "ends", as }];
  };
  const tell = (message: JsonObject): readonly WireEvent[] => {
    const { type, data } = message;
    const content = isRecord(data) ? data : {};
    const isUnnamed = String(type).startsWith("llm-function-call-") && content.function_name === undefined;
    if (isUnnamed && type !== "llm-function-call-started" && !state.running.has(String(content.tool_call_id))) {
      unnamed = Math.max(0, unnamed + (type === "llm-function-call-in-progress" ? 1 : -1));
      state.announced = 0;
    } else readMessage(state, message, fail);
    if (type === "bot-started-speaking") isSpeaking = true;
    else if (type === "bot-stopped-speaking") isSpeaking = false;
    else if (type === "bot-llm-started") hasText = false;
    else if (type === "bot-llm-text" && String(content.text).trim() !== "") hasText = true;
    if (type === "bot-started-speaking" && !isOpen()) isAwaited = false;
    if (isOpen() || (type === "bot-llm-text" && hasText && !isSpeaking)) isAwaited = true;
    const passes = type === "bot-llm-stopped" && state.isOver && !hasText && !isSpeaking;
    state.isOver = false;
    if (passes) isAwaited = false;
    return [
      ...done(),
      ...ending(),
      ...(passes ? [{ kind: "passes" } as const] : []),
      ...heardOf(content, type),
      ...busyNow(),
    ];
  };
  return (given) => {
    const frame = framing.read(given);
    if (frame.kind === "sound") return hear(frame.samples);
    if (frame.kind === "interruption") return interrupt();
    // what it has said is played to its end
    if (frame.kind === "left") return { over: [{ kind: "ends", as: endingOf(state, transfers) }] };
    return frame.kind === "message" ? tell(frame.message) : [];
  };
}

/** What the bot heard of the caller. */
function heardOf({ text, final }: JsonObject, type: unknown): readonly WireEvent[] {
  if (type !== "user-transcription" || final !== true || typeof text !== "string") return [];
  return [{ kind: "words", by: "caller", text }];
}
