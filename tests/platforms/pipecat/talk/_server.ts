import { Buffer } from "node:buffer";
import { messagesIn, numberIn, readFields, textIn, writeMessage } from "../../../../platforms/talking/mod.ts";
import { createSoundReader, createSoundWriter } from "../../../../src/call/voice/mod.ts";
import type { ToolMock } from "../../../../src/document/scenario/mod.ts";
import {
  type ServerSocket,
  type SocketServer,
  type SocketServerOptions,
  startSocketServer,
} from "../../../call/connection/_socket_server.ts";
import { Ear, SPOKEN_MS, spoken } from "../../../call/voice/_spoken.ts";
import { type BrainEvent, type BrainTurn, startBrain } from "../../connections/_brain.ts";

/** How a bot differs from the usual one. */
export interface PipecatBotOptions extends Pick<SocketServerOptions, "fault" | "refuse"> {
  /** Whether it speaks first. Default: true. */
  readonly opens?: boolean;
  /** What its tools answer; it takes no mocks. Default: the orders of the help desk's scenarios. */
  readonly tools?: readonly ToolMock[];
  /**
   * When a function returns: after the answer that calls it is complete, as usual, or before that. Pipecat runs functions
   * beside the model's stream, so that both happen.
   */
  readonly returns?: "late" | "early";
  /** Messages that it sends before `bot-ready`, as a bot does that greets when a client connects. */
  readonly greetsEarly?: boolean;
  /** Whether calls of functions have names, as after `eval-configure`. Default: true. */
  readonly names?: boolean;
  /**
   * The sound of calls by voice: how frames are written, and the rates that the bot hears and speaks with. Its sound has
   * no gaps: it is sent faster than it is played. Without it, calls are in text.
   */
  readonly voice?: { readonly frames: "json" | "protobuf"; readonly hears?: number; readonly speaks?: number };
  /** By voice, words that are spoken before a function returns. */
  readonly filler?: string;
  /** By voice, how long its voice takes to speak an answer after a function, by the caller's sound, in milliseconds. */
  readonly speaksAfterMs?: number;
  /** Messages that it sends when the caller's words arrive, and before its model gets them. */
  readonly before?: readonly object[];
  /** Sent in place of the events of a turn, by the number of the turn; the opening is 0. */
  readonly instead?: (turn: number) => readonly unknown[] | undefined;
}

/** Orders that the help desk's tool knows. */
export const ORDERS: readonly ToolMock[] = [
  {
    tool_name: "look_up_order",
    input_match_rule: { type: "partial_match", args: { order_number: "A-1042" } },
    output: JSON.stringify({ status: "shipped", arrives: "Friday" }),
    result: true,
  },
  { tool_name: "look_up_order", input_match_rule: { type: "any" }, output: "no such order", result: false },
];

/**
 * A bot on Pipecat's development runner, as far as its text is concerned. The messages and their order are those of
 * pipecat-ai 1.14.0: evals/serializer.py, processors/frameworks/rtvi/observer.py and models.py.
 */
export async function startPipecat(options: PipecatBotOptions = {}): Promise<SocketServer> {
  const { opens = true, tools = ORDERS, instead, greetsEarly = false, fault, refuse } = options;
  return await startSocketServer({
    ...(fault ? { fault } : {}),
    ...(refuse ? { refuse } : {}),
    play: async (socket) => {
      const say = (type: string, data: object = {}) => socket.send({ label: "rtvi-ai", type, data });
      if (options.voice) return await playVoice(socket, options, options.voice);
      const connect = await socket.next();
      if (connect?.data?.t !== "eval-connect") return socket.close(1003, "no eval-connect");
      const brain = startBrain({ mocks: tools });
      let number = 0;
      const play = async (take: () => Promise<BrainTurn>, isSilent = false): Promise<boolean> => {
        const turn = await take();
        const other = instead?.(number++);
        if (other) for (const message of other) socket.send(message);
        else if (!isSilent) sendTurn(say, turn, options);
        if (!other && turn.ended === "agent_transferred") sendTransfer(say);
        // a pipeline that ends closes the connection after the last words (transports/websocket/fastapi.py)
        if (!other && turn.ended) socket.close(1000);
        return !other && turn.ended !== undefined;
      };
      if (greetsEarly) await play(() => brain.open(), !opens);
      for (let message = await socket.next(); message !== undefined; message = await socket.next()) {
        if (message.type === "client-ready") {
          // not every message is one of the protocol
          socket.send({ label: "other", type: "bot-llm-text", data: { text: "noise" } });
          say("bot-ready", { version: "2.2.0", about: { library: "pipecat-ai", library_version: "1.14.0" } });
          if (!greetsEarly) await play(() => brain.open(), !opens);
        } else if (message.type === "send-text") {
          for (const each of options.before ?? []) socket.send(each);
          say("user-llm-text", { text: message.data.content });
          if (await play(() => brain.hear(message.data.content))) return;
        } else if (message.type === "client-message" && message.data.t === "eval-cancel") {
          return socket.close(1000);
        }
      }
    },
  });
}

/** A bot that hears and speaks. Its functions run, and it closes the connection when its last words were played. */
async function playVoice(
  socket: ServerSocket,
  options: PipecatBotOptions,
  { frames, hears = 16_000, speaks = 24_000 }: NonNullable<PipecatBotOptions["voice"]>,
): Promise<void> {
  const { tools = ORDERS, opens = true, greetsEarly = false, filler, instead } = options;
  const isJson = frames === "json";
  const say: Say = (type, data = {}) => {
    const message = { label: "rtvi-ai", type, data };
    socket.send(isJson ? message : writeMessage([4, writeMessage([1, JSON.stringify(message)])]));
  };
  const brain = startBrain({ mocks: tools });
  const ear = new Ear(hears);
  let number = 0;
  let closesAtMs = Number.POSITIVE_INFINITY;
  let later: { readonly atMs: number; readonly act: () => void } | undefined;
  const speak = (text: string) => {
    const bytes = createSoundWriter({ encoding: "pcm", rate: speaks }, speaks)(spoken(text, speaks));
    say("bot-started-speaking");
    const audio = Buffer.from(bytes).toString("base64");
    if (isJson) say("eval-bot-audio", { audio, sampleRate: speaks });
    else socket.send(writeMessage([2, writeMessage([2, "TTSAudioRawFrame"], [3, bytes], [4, speaks], [5, 1])]));
    say("bot-stopped-speaking");
  };
  const play = async (take: () => Promise<BrainTurn>) => {
    const turn = await take();
    const other = instead?.(number++);
    if (other) {
      for (const message of other) socket.send(message);
      return;
    }
    const calls = turn.events.some(({ kind }) => kind === "calls");
    sendTurn(say, turn, { ...options, ...(isJson ? {} : { names: false }) }, () => {
      if (calls && filler !== undefined) speak(filler);
    });
    const texts = turn.events.flatMap((event) => (event.kind === "says" ? [event.text] : []));
    const answer = () => {
      for (const text of texts) speak(text);
    };
    if (calls && options.speaksAfterMs !== undefined) later = { atMs: ear.nowMs + options.speaksAfterMs, act: answer };
    else answer();
    if (turn.ended === "agent_transferred" && isJson) sendTransfer(say);
    // sound is sent at once here: it takes a while until it was played
    if (turn.ended) closesAtMs = ear.nowMs + (texts.length + 1) * (SPOKEN_MS + 100);
  };
  if (isJson) {
    const connect = await socket.next();
    if (connect?.data?.t !== "eval-connect" || connect.data.d.skip_tts) return socket.close(1003, "no eval-connect");
    if (!connect.data.d.capture_bot_audio) return socket.close(1003, "nobody listens");
  }
  if (greetsEarly) await play(() => brain.open());
  for (let given = await socket.next(); given !== undefined; given = await socket.next()) {
    const message = isJson ? given : framed(given);
    if (message.type === "client-ready") {
      say("bot-ready", { version: "2.2.0", about: { library: "pipecat-ai", library_version: "1.14.0" } });
      const opened = () => brain.open();
      if (opens && !greetsEarly) await play(opened);
      else if (!opens) await opened();
    } else if (message.type === "raw-audio") {
      if (message.data.sampleRate !== hears) return socket.close(1003, "another rate");
      const bytes = Buffer.from(message.data.base64Audio, "base64");
      const text = ear.hear(createSoundReader({ encoding: "pcm", rate: hears }, hears)(bytes));
      if (ear.nowMs >= closesAtMs) return socket.close(1000);
      if (later && later.atMs <= ear.nowMs) {
        later.act();
        later = undefined;
      }
      if (text === undefined) continue;
      for (const each of options.before ?? []) socket.send(each);
      say("user-transcription", { text, user_id: "user", timestamp: "now", final: true });
      if (isJson) say("user-llm-text", { text });
      await play(() => brain.hear(text));
    } else if (message.type === "client-message" && message.data.t === "eval-cancel") return socket.close(1000);
  }
}

/** A frame in protobuf, in the form of the messages in JSON. */
function framed(bytes: Uint8Array) {
  const [audio] = messagesIn(readFields(bytes), 2);
  const [message] = messagesIn(readFields(bytes), 4);
  if (message) return JSON.parse(textIn(message, 1) ?? "null");
  const sound = audio?.find(({ number }) => number === 3)?.value;
  if (!audio || !(sound instanceof Uint8Array)) throw new Error("this is no frame");
  const data = { base64Audio: Buffer.from(sound).toString("base64"), sampleRate: numberIn(audio, 4) };
  return { type: "raw-audio", data };
}

export type Say = (type: string, data?: object) => void;

/** The events of a turn: an answer that ends with a call of a function, and another one after it has returned. */
export function sendTurn(
  say: Say,
  { events }: BrainTurn,
  { returns = "late", names = true }: PipecatBotOptions,
  fill = () => {},
): void {
  let calls = 0;
  say("bot-llm-started");
  for (const [at, event] of events.entries()) {
    if (event.kind === "says") {
      for (const word of event.text.split(/(?<= )/)) say("bot-llm-text", { text: word });
      const next = events.slice(at + 1).find(({ kind }) => kind !== "moves");
      // two texts are two answers: a node that speaks and moves on
      if (next?.kind === "says") say("bot-llm-text", { text: " " });
    } else if (event.kind === "calls") {
      calls += 1;
      const id = `call_${calls}`;
      const named = names ? { function_name: event.name } : {};
      say("llm-function-call-started", { ...named });
      say("llm-function-call-in-progress", {
        tool_call_id: id,
        ...named,
        ...(names ? { arguments: event.arguments } : {}),
      });
      fill();
      if (returns === "early") stopCall(say, id, event, names);
      say("bot-llm-stopped");
      if (returns === "late") stopCall(say, id, event, names);
      say("bot-llm-started");
    }
  }
  say("bot-llm-stopped");
}

/** Transfers are the program's own: a function that hands the call over, and ends the pipeline. */
function sendTransfer(say: Say): void {
  const named = { tool_call_id: "transfer", function_name: "transfer_call" };
  say("bot-llm-started");
  say("llm-function-call-started", named);
  say("llm-function-call-in-progress", { ...named, arguments: {} });
  say("bot-llm-stopped");
}

function stopCall(
  say: Say,
  tool_call_id: string,
  { name, result }: Extract<BrainEvent, { kind: "calls" }>,
  names: boolean,
): void {
  const told = names ? { function_name: name, result } : {};
  say("llm-function-call-stopped", { tool_call_id, cancelled: false, ...told });
}
