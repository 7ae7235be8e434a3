import { createSoundReader, createSoundWriter, type SoundFormat } from "../../../../src/call/voice/mod.ts";
import {
  type PlainAnswer,
  type ServerSocket,
  type SocketServer,
  type SocketServerOptions,
  startSocketServer,
} from "../../../call/connection/_socket_server.ts";
import { Ear, SPOKEN_MS, spoken } from "../../../call/voice/_spoken.ts";
import { type BrainTurn, replayTurn } from "../../connections/_brain.ts";
import { DESK_TOOLS } from "../../connections/_tools.ts";
import { ASSISTANT, ASSISTANT_ID, deskSquad, outputOf, SQUAD_ID } from "./_server.ts";

/** How the platform differs from the usual one. What is not documented has an option for each reading. */
export interface VapiVoiceOptions extends Pick<SocketServerOptions, "fault" | "refuse"> {
  /** The format of the sound that the answer names. Default: what was asked for. */
  readonly format?: { readonly format: string; readonly sampleRate?: number };
  /** Whether messages are under the key `message`. Default: false. */
  readonly wrapped?: boolean;
  /** Whether calls of handoffs, and of tools that end a call, come as messages [?]. Default: true. */
  readonly tellsEnds?: boolean;
  /** Words that are spoken while a tool is open. */
  readonly filler?: string;
  /** Milliseconds of the caller's sound that a tool is open for. Default: no time. */
  readonly toolMs?: number;
  /** Reason of the end of each call in place of the usual one. */
  readonly endedReason?: string;
  /** Whether `status-update` says how the call ended before the connection is closed. Default: true. */
  readonly tellsReason?: boolean;
  /** How often the record is incomplete. Default: 1. */
  readonly processing?: number;
  /** Changes the record. */
  readonly record?: (record: { readonly [key: string]: unknown }) => unknown;
  /** Answers in place of the usual ones. */
  readonly answer?: (path: string) => PlainAnswer | undefined;
  /** Sent in place of the messages of a turn, by its number; the opening is 0. */
  readonly instead?: (turn: number) => readonly unknown[] | undefined;
}

/** In the URL of the sound. */
export const TOKEN = "marmalade-evening-harbour";

/**
 * A server that behaves as calls over a WebSocket are described: VapiAI/docs `fern/calls/websocket-transport`, types
 * `ClientMessage…` of @vapi-ai/server-sdk 2.0.1, and `GET /call/{id}` of its API.
 */
export async function startVapiVoice(options: VapiVoiceOptions = {}): Promise<SocketServer> {
  const { fault, refuse, processing = 1 } = options;
  const { squad, beside } = deskSquad(false);
  const calls = new Map<string, VapiCall>();
  const asked = new Map<string, number>();
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they have sent
  const bodies = new Map<string, any>();
  const server: SocketServer = await startSocketServer({
    ...(fault ? { fault } : {}),
    ...(refuse ? { refuse } : {}),
    answer: ({ method, url, body }) => {
      const other = options.answer?.(url);
      if (other) return other;
      if (url === `/squad/${SQUAD_ID}`) return { json: squad };
      if (url === `/assistant/${ASSISTANT_ID}`) return { json: ASSISTANT };
      if (beside.has(url)) return { json: beside.get(url) };
      if (method === "POST" && url === "/call") {
        const { squadId, assistantId, squadOverrides, assistantOverrides, transport, ...rest } = body;
        // "property should not exist": overrides of the other kind, and phone fields
        const overrides = squadId === undefined ? assistantOverrides : squadOverrides;
        const needed = ["speech-update", "transcript", "tool-calls"];
        if (squadId !== SQUAD_ID && assistantId !== ASSISTANT_ID)
          return { status: 404, json: { message: "Not found" } };
        if (!needed.every((type) => overrides?.clientMessages.includes(type)) || "phoneNumberId" in rest)
          return { status: 400, json: { message: ["property should not exist"] } };
        const id = `call_${bodies.size + 1}`;
        const audioFormat = options.format ?? transport.audioFormat;
        bodies.set(id, { ...body, overrides, audioFormat });
        const websocketCallUrl = `${server.socketUrl}/${id}/transport?token=${TOKEN}`;
        return {
          status: 201,
          json: { id, status: "queued", transport: { ...transport, audioFormat, websocketCallUrl } },
        };
      }
      const id = /^\/call\/(.+)$/.exec(url)?.[1] ?? "";
      const call = calls.get(id);
      if (!call) return { status: 404, json: { message: "Couldn't get call" } };
      const times = (asked.get(id) ?? 0) + 1;
      asked.set(id, times);
      if (times <= processing) return { json: { id, status: "in-progress" } };
      const found = call.record(id);
      return { json: options.record ? options.record(found) : found };
    },
    play: async (socket, { url }) => {
      const [, id = ""] = url.split("/");
      const body = bodies.get(id);
      const { format, sampleRate = 8000 } = body.audioFormat;
      const call = new VapiCall(socket, options, {
        ofSquad: body.squadId !== undefined,
        variables: body.overrides.variableValues,
        format: { encoding: format === "mulaw" ? "mulaw" : "pcm", rate: sampleRate },
        version: body.assistantVersion,
      });
      calls.set(id, call);
      await call.play();
    },
  });
  return server;
}

interface CallStart {
  readonly ofSquad: boolean;
  readonly variables: { readonly [name: string]: unknown };
  readonly format: SoundFormat;
  readonly version: string | undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: what outputOf() makes are messages of chats
type Json = any;

/** One call, and its record. */
class VapiCall {
  readonly #socket: ServerSocket;
  readonly #options: VapiVoiceOptions;
  readonly #start: CallStart;
  readonly #ear: Ear;
  readonly #read: (bytes: Uint8Array) => Int16Array;
  readonly #messages: object[] = [];
  readonly #said: string[] = [];
  #member = "welcome";
  #reason = "customer-ended-call";

  constructor(socket: ServerSocket, options: VapiVoiceOptions, start: CallStart) {
    this.#socket = socket;
    this.#options = options;
    this.#start = start;
    this.#ear = new Ear(start.format.rate);
    this.#read = createSoundReader(start.format, start.format.rate);
  }

  record(id: string): { readonly [key: string]: unknown } {
    const { version } = this.#start;
    const artifact = { messages: this.#messages, recordingUrl: "https://storage.example.com/call.wav" };
    const facts = { id, type: "vapi.websocketCall", status: "ended", cost: 0.02, artifact };
    return { ...facts, endedReason: this.#reason, ...(version === undefined ? {} : { assistantVersion: version }) };
  }

  async play(): Promise<void> {
    for (let turn = 0; ; turn++) {
      if (turn > 0) {
        const text = await this.#hear();
        if (text === undefined) return;
        this.#said.push(text);
        this.#messages.push({ role: "user", message: text });
        this.#send({ type: "transcript", role: "user", transcriptType: "final", transcript: text });
      }
      const other = this.#options.instead?.(turn);
      if (other) for (const each of other) this.#socket.send(each);
      else if (await this.#turn()) return;
    }
  }

  /** The caller's words; `undefined` when it has gone. */
  async #hear(): Promise<string | undefined> {
    for (let given = await this.#socket.next(); given !== undefined; given = await this.#socket.next()) {
      if (given.type === "end-call") {
        this.#socket.close(1000);
        return undefined;
      }
      const text = given instanceof Uint8Array ? this.#ear.hear(this.#read(given)) : undefined;
      if (text !== undefined) return text;
    }
    return undefined;
  }

  /** Listens for a time of the caller's sound. */
  async #pass(ms: number): Promise<void> {
    const until = this.#ear.nowMs + ms;
    while (this.#ear.nowMs < until) {
      const given = await this.#socket.next();
      if (given === undefined) return;
      if (given instanceof Uint8Array) this.#ear.hear(this.#read(given));
    }
  }

  /** Plays a turn, and returns whether it was the last one. */
  async #turn(): Promise<boolean> {
    const { variables, ofSquad } = this.#start;
    const { tellsEnds = true, filler, toolMs = 0, endedReason, tellsReason = true } = this.#options;
    const turn: BrainTurn = await replayTurn(this.#said, { mocks: DESK_TOOLS, variables });
    const { output } = outputOf(turn, { member: this.#member, ofSquad, results: true, words: (text) => text });
    const effects = new Set<string>();
    let texts = 0;
    for (const message of output as readonly Json[]) {
      if (message.content !== undefined && message.role === "assistant") {
        texts += 1;
        this.#say(message.content);
      } else if (message.role === "assistant") {
        const [call] = message.tool_calls;
        const { name } = call.function;
        if (/^(?:to_|endCall|transferCall)/.test(name)) effects.add(call.id);
        this.#messages.push({ role: "tool_calls", toolCalls: [call] });
        if (tellsEnds || !effects.has(call.id)) this.#send({ type: "tool-calls", toolCallList: [call] });
        if (name === "look_up_order" && filler !== undefined) this.#say(filler);
        if (name === "look_up_order" && toolMs > 0) await this.#pass(toolMs);
      } else {
        const { tool_call_id: toolCallId, content: result } = message;
        const called: Json = this.#messages.at(-1);
        const name: string = called?.toolCalls?.[0]?.function.name ?? "";
        this.#messages.push({ role: "tool_call_result", toolCallId, name, result });
        const toolCallResult = { toolCallId, name, result };
        if (tellsEnds || !effects.has(toolCallId)) this.#send({ type: "tool-calls-result", toolCallResult });
        if (name.startsWith("to_")) {
          this.#member = name.slice(3);
          this.#send({ type: "assistant.started", newAssistant: { name: this.#member } });
        }
      }
    }
    if (!turn.ended && endedReason === undefined) return false;
    // the platform plays its words before it ends the call
    await this.#pass((texts + 1) * (SPOKEN_MS + 100));
    this.#reason = endedReason ?? (turn.ended === "agent_ended" ? "assistant-ended-call" : "assistant-forwarded-call");
    if (tellsReason) this.#send({ type: "status-update", status: "ended", endedReason: this.#reason });
    this.#socket.close(1000);
    return true;
  }

  #say(text: string): void {
    const { format } = this.#start;
    this.#messages.push({ role: "bot", message: text });
    this.#send({ type: "speech-update", role: "assistant", status: "started", turn: this.#said.length });
    this.#send({ type: "transcript", role: "assistant", transcriptType: "partial", transcript: text.slice(0, 4) });
    this.#socket.send(createSoundWriter(format, format.rate)(spoken(text, format.rate)));
    this.#send({ type: "transcript", role: "assistant", transcriptType: "final", transcript: text });
    this.#send({ type: "speech-update", role: "assistant", status: "stopped", turn: this.#said.length });
  }

  #send(message: object): void {
    this.#socket.send(this.#options.wrapped ? { message } : message);
  }
}
