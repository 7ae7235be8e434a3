import { Buffer } from "node:buffer";
import { decodeMuLaw, encodeMuLaw } from "../../../../src/call/audio/mod.ts";
import {
  type SocketServer,
  type SocketServerOptions,
  startSocketServer,
} from "../../../call/connection/_socket_server.ts";

/** Something that a bot does. Its time is that of the caller's frames, so that no machine is too slow for it. */
export interface BotAct {
  /** Milliseconds after the act before it. Default: 0. */
  readonly afterMs?: number;
  /** Sent as one message of any length: Twilio plays what it gets in order. */
  readonly sound?: Int16Array;
  /** Name of a mark, which Twilio sends back when the sound before it was played. */
  readonly mark?: string;
  readonly clear?: true;
  /** Another message, with the streamSid unless it has one. */
  readonly other?: object;
  /** Sent as it is. */
  readonly text?: string | Uint8Array;
  /** Closes the connection; `"none"`: without a code, as sockets of Node do by default. */
  readonly close?: number | "none";
}

/** What a bot does when the caller has been silent for a time. */
export interface BotReply {
  /** Silence of the caller, in milliseconds; for the opening, time since the start of the stream. Default: 300. */
  readonly afterMs?: number;
  readonly acts: readonly BotAct[];
  /** How long the bot talks on when the caller interrupts this reply. Absent: it says all of it. */
  readonly yieldsMs?: number;
}

/** A bot's side of a connection. */
export interface BotSocket {
  send(message: unknown): void;
  close(code?: number): void;
}

/** A sound in messages of 20 ms, as bots send it that pace themselves. */
export function paced(sound: Int16Array): readonly BotAct[] {
  return Array.from({ length: Math.ceil(sound.length / 160) }, (_, at) => ({
    afterMs: at === 0 ? 0 : 20,
    sound: sound.slice(at * 160, (at + 1) * 160),
  }));
}

/**
 * A bot behind Twilio's Media Streams, whose replies are fixed. The messages are those of
 * twilio.com/docs/voice/media-streams/websocket-messages.
 */
export class ScriptedBot {
  readonly #socket: BotSocket;
  readonly #replies: readonly (BotReply | undefined)[];
  readonly #acts: { dueMs: number; readonly act: BotAct }[] = [];
  /** All messages but media. */
  readonly messages: { readonly event: string; readonly [key: string]: unknown }[] = [];
  readonly media: { readonly atMs: number; readonly chunk: number; readonly samples: Int16Array }[] = [];
  /** When each mark came back, in milliseconds of the stream. */
  readonly marks: (readonly [name: string, atMs: number])[] = [];
  /** Milliseconds from the caller's last voiced sample to each reply; for the opening, from the start of the stream. */
  readonly planted: number[] = [];
  /** Milliseconds from the caller's first voiced sample to the end of each reply that was interrupted. */
  readonly stopped: number[] = [];
  #yieldsMs: number | undefined;
  #streamSid = "";
  #nowMs = 0;
  #lastVoiceMs = 0;
  #hasSpoken = false;
  #isMuted = false;
  #turn = 0;

  /** The first of the replies is the opening; without one, the caller speaks first. */
  constructor(socket: BotSocket, replies: readonly (BotReply | undefined)[]) {
    this.#socket = socket;
    this.#replies = replies;
    this.#hasSpoken = replies[0] !== undefined;
    if (!this.#hasSpoken) this.#turn = 1;
  }

  /** Takes what comes next as the caller's voice: keys, or silence. */
  expectVoice(): void {
    this.#hasSpoken = true;
    this.#lastVoiceMs = this.#nowMs;
  }

  /** Whether the bot answers nothing for now. */
  mute(isMuted = true): void {
    this.#isMuted = isMuted;
    if (!isMuted) this.#hasSpoken = false;
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests read what they have sent
  hear(message: any): void {
    if (message.event !== "media") this.messages.push(message);
    if (message.event === "start") this.#streamSid = message.start.streamSid;
    if (message.event === "mark") this.marks.push([message.mark.name, this.#nowMs]);
    if (message.event !== "media") return;
    const samples = decodeMuLaw(Buffer.from(message.media.payload, "base64"));
    const atMs = Number(message.media.timestamp);
    this.media.push({ atMs, chunk: Number(message.media.chunk), samples });
    this.#nowMs = atMs + 20;
    const loud = samples.findLastIndex((sample) => Math.abs(sample) > 500);
    if (loud >= 0) {
      this.#yield(atMs + samples.findIndex((sample) => Math.abs(sample) > 500) / 8);
      this.#lastVoiceMs = atMs + (loud + 1) / 8;
      this.#hasSpoken = true;
    }
    const reply = this.#replies[this.#turn];
    const quietMs = this.#nowMs - this.#lastVoiceMs;
    if (this.#hasSpoken && !this.#isMuted && reply && quietMs >= (reply.afterMs ?? 300)) {
      this.planted.push(quietMs);
      this.#turn += 1;
      this.#hasSpoken = false;
      this.#yieldsMs = reply.yieldsMs;
      let dueMs = this.#nowMs;
      for (const act of reply.acts) {
        dueMs += act.afterMs ?? 0;
        this.#acts.push({ dueMs, act });
      }
    }
    while (this.#acts[0] && this.#acts[0].dueMs <= this.#nowMs) this.#do(this.#acts.shift()?.act ?? {});
  }

  /** The caller talks over the bot: it drops what it has not said yet, after a while. */
  #yield(voiceMs: number): void {
    if (this.#yieldsMs === undefined) return;
    const dueMs = this.#nowMs + this.#yieldsMs;
    const kept = this.#acts.filter((act) => act.dueMs < dueMs);
    this.#acts.splice(0, this.#acts.length, ...kept, { dueMs, act: { clear: true } });
    this.stopped.push(dueMs - voiceMs);
    this.#yieldsMs = undefined;
  }

  #do({ sound, mark, clear, other, text, close }: BotAct): void {
    const send = (event: string, content: object) =>
      this.#socket.send({ event, streamSid: this.#streamSid, ...content });
    if (sound) send("media", { media: { payload: Buffer.from(encodeMuLaw(sound)).toString("base64") } });
    if (mark !== undefined) send("mark", { mark: { name: mark } });
    if (clear) send("clear", {});
    if (other) this.#socket.send({ streamSid: this.#streamSid, ...other });
    if (text !== undefined) this.#socket.send(text);
    if (close !== undefined) this.#socket.close(close === "none" ? undefined : close);
  }
}

/** Options of a server with a bot behind it. */
export interface TwilioBotOptions extends Pick<SocketServerOptions, "fault" | "refuse"> {
  /** What the bot of each connection does: its opening, and its reply to each turn of the caller. */
  readonly replies: readonly (BotReply | undefined)[];
}

/** A server of bots, which Twilio would dial. */
export interface TwilioBotServer extends SocketServer {
  /** A bot for each connection, in order. */
  readonly bots: readonly ScriptedBot[];
  /** Forgets the bots so far. */
  forget(): void;
}

/** Starts a server of bots on 127.0.0.1. */
export async function startTwilio({ replies, ...options }: TwilioBotOptions): Promise<TwilioBotServer> {
  const bots: ScriptedBot[] = [];
  const server = await startSocketServer({
    ...options,
    play: async (socket) => {
      const bot = new ScriptedBot(socket, replies);
      bots.push(bot);
      for (let message = await socket.next(); message !== undefined; message = await socket.next()) bot.hear(message);
    },
  });
  return { ...server, bots, forget: () => void bots.splice(0) };
}
