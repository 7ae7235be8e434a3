import { Buffer } from "node:buffer";
import { createSoundReader, createSoundWriter, type SoundFormat } from "../../../../src/call/voice/mod.ts";
import type { ToolMock } from "../../../../src/document/scenario/mod.ts";
import type { TakenRequest } from "../../../call/connection/_server.ts";
import {
  type PlainAnswer,
  type ServerSocket,
  type SocketServer,
  type SocketServerOptions,
  startSocketServer,
} from "../../../call/connection/_socket_server.ts";
import { Ear, spoken } from "../../../call/voice/_spoken.ts";
import { type BrainTurn, replayTurn } from "../../connections/_brain.ts";

/** How the platform differs from the usual one. What is not documented has an option for each reading. */
export interface ElevenLabsServerOptions extends Pick<SocketServerOptions, "fault" | "refuse"> {
  /** Who answers the tool: the client, or the platform with the mocks that are stored on it. Default: `client`. */
  readonly tool?: "client" | "webhook";
  readonly responseMocks?: readonly object[];
  /** Words before a tool, in a reply of their own: whether a tool splits a reply in two is not documented. */
  readonly filler?: string;
  /** Whether replies come in parts, before the whole or after it, or without one. Default: before it. */
  readonly parts?: "before" | "after" | "only" | "none";
  /** Whether it sends `agent_response_complete`, which DeepEval's connector waits for. Default: false. */
  readonly completes?: boolean;
  /** Whether the agent's client_events have those of tools. Default: true. */
  readonly tellsTools?: boolean;
  /**
   * The sound of conversations by voice, both ways; without it they are in text. Audio has no gaps: the platform sends it
   * faster than it is played.
   */
  readonly voice?: {
    readonly caller: string;
    readonly agent: string;
    readonly audioFirst?: boolean;
    readonly parts?: number;
  };
  /** How long a tool takes, and the words after it, in milliseconds each. Default: no time. */
  readonly toolMs?: number;
  /** How often the record is `processing` before it is `done`. Default: 1. */
  readonly processing?: number;
  /** Changes the record of a call. */
  readonly record?: (record: { readonly [key: string]: unknown }) => unknown;
  /** Messages in place of those of a turn, by its number; the opening is 0. */
  readonly instead?: (turn: number) => readonly object[] | undefined;
  /** Answers in place of the usual ones. */
  readonly answer?: (path: string, request: TakenRequest) => PlainAnswer | "break" | "stall" | undefined;
}

export const AGENT_ID = "agent_1";
export const VERSION = "agtvrsn_7";
/** In the signed URL. */
export const SIGNATURE = "cvtkn_marmalade_evening_harbour";

/** The stored mock that answers as the help desk's scenarios expect. */
export const SHIPPED_MOCK = {
  parameter_conditions: [{ path: "order_number", eval: { type: "exact", expected_value: "A-1042" } }],
  mock_result: JSON.stringify({ status: "shipped", arrives: "Friday" }),
  is_error: false,
};

/**
 * A server that behaves as the text conversations of ElevenLabs are described: messages by @elevenlabs/types 0.23.0, the
 * record by @elevenlabs/elevenlabs-js 2.73.0, the agent's document by elevenlabs.md.
 */
export async function startElevenLabs(options: ElevenLabsServerOptions = {}): Promise<SocketServer> {
  const { tool = "client", responseMocks = [], processing = 1, fault, refuse } = options;
  const records = new Map<string, () => object>();
  const asked = new Map<string, number>();
  let conversations = 0;
  const agent = {
    agent_id: AGENT_ID,
    version_id: VERSION,
    conversation_config: {
      agent: { first_message: "Welcome", prompt: { tool_ids: ["tool_1"], tools: [] } },
      conversation: { text_only: false },
    },
    workflow: {
      nodes: { start_node: { type: "start" }, begin: { type: "override_agent" } },
      edges: { edge_1: { source: "start_node", target: "begin" } },
    },
  };
  const server: SocketServer = await startSocketServer({
    ...(fault ? { fault } : {}),
    ...(refuse ? { refuse } : {}),
    answer: (request) => {
      const { pathname } = new URL(request.url, "http://server");
      const other = options.answer?.(pathname, request);
      if (other) return other;
      if (pathname === `/v1/convai/agents/${AGENT_ID}`) return { json: agent };
      if (pathname === "/v1/convai/tools/tool_1") {
        const tool_config = {
          type: tool,
          name: "look_up_order",
          ...(tool === "client" ? { expects_response: true } : {}),
        };
        return { json: { id: "tool_1", tool_config, response_mocks: responseMocks } };
      }
      if (pathname === "/v1/convai/conversation/get-signed-url") {
        const signed = `${server.socketUrl}/v1/convai/conversation?agent_id=${AGENT_ID}&conversation_signature=${SIGNATURE}`;
        return { json: { signed_url: signed } };
      }
      const id = /^\/v1\/convai\/conversations\/(.+)$/.exec(pathname)?.[1] ?? "";
      const record = records.get(id);
      if (!record) return { status: 404, json: { detail: { message: "not found" } } };
      const times = (asked.get(id) ?? 0) + 1;
      asked.set(id, times);
      const found = { ...record(), status: times > processing ? "done" : "processing" };
      return { json: options.record ? options.record(found) : found };
    },
    play: async (socket) => {
      conversations += 1;
      const id = `conv_${conversations}`;
      const start = await socket.next();
      if (start?.type !== "conversation_initiation_client_data") return socket.close(1002, "no initiation");
      const call = new Conversation(socket, options, start.dynamic_variables ?? {});
      records.set(id, () => call.record(id));
      const { caller: user_input_audio_format = "pcm_16000", agent: agent_output_audio_format = "pcm_16000" } =
        options.voice ?? {};
      const formats = { agent_output_audio_format, user_input_audio_format };
      socket.send({
        type: "conversation_initiation_metadata",
        conversation_initiation_metadata_event: { conversation_id: id, ...formats },
      });
      await call.play();
    },
  });
  return server;
}

/** One conversation, and its record. */
class Conversation {
  readonly #socket: ServerSocket;
  readonly #options: ElevenLabsServerOptions;
  readonly #start: { readonly [name: string]: unknown };
  /** What tools have answered, each once. */
  readonly #answers: ToolMock[] = [];
  readonly #transcript: object[] = [];
  readonly #said: string[] = [];
  #variables: object = {};
  #event = 0;
  #node = "";
  readonly #ear: { readonly ear: Ear; readonly read: (bytes: Uint8Array) => Int16Array } | undefined;

  constructor(socket: ServerSocket, options: ElevenLabsServerOptions, start: { readonly [name: string]: unknown }) {
    this.#socket = socket;
    this.#options = options;
    this.#start = start;
    const format = options.voice && formatOf(options.voice.caller);
    this.#ear = format && { ear: new Ear(format.rate), read: createSoundReader(format, format.rate) };
  }

  record(id: string): object {
    return {
      conversation_id: id,
      agent_id: AGENT_ID,
      version_id: VERSION,
      transcript: this.#transcript,
      metadata: { termination_reason: "end_call tool was called", cost: 120, cost_fiat: 0.004, text_only: true },
      conversation_initiation_client_data: { dynamic_variables: this.#variables },
    };
  }

  async play(): Promise<void> {
    for (let turn = 0; ; turn++) {
      if (turn > 0) {
        const message = await this.#next("user_message");
        if (message === undefined) return;
        this.#said.push(message.text);
        this.#transcript.push({ role: "user", message: message.text });
      }
      this.#socket.send({ type: "ping", ping_event: { event_id: turn, ping_ms: 20 } });
      const other = this.#options.instead?.(turn);
      if (other) for (const each of other) this.#socket.send(each);
      else if (await this.#turn()) return;
    }
  }

  /** The next message of a type; pongs are passed over. */
  async #next(type: string) {
    for (let message = await this.#socket.next(); message !== undefined; message = await this.#socket.next()) {
      if (message.type === type) return message;
      const { user_audio_chunk: audio } = message;
      if (audio === undefined || !this.#ear) continue;
      const text = this.#ear.ear.hear(this.#ear.read(Buffer.from(audio, "base64")));
      if (text !== undefined && type === "user_message") {
        this.#socket.send({ type: "user_transcript", user_transcription_event: { user_transcript: text } });
        return { text };
      }
    }
    return undefined;
  }

  /** Plays a turn, and returns whether it was the last one. */
  async #turn(): Promise<boolean> {
    const { tool = "client", responseMocks = [], filler, tellsTools = true } = this.#options;
    const results: {
      readonly name: string;
      readonly args: object;
      readonly value: string;
      readonly isError: boolean;
    }[] = [];
    let turn = await this.#replay();
    for (let calls = callsOf(turn); calls.length > results.length; calls = callsOf(turn)) {
      const call = calls[results.length];
      if (call?.kind !== "calls") break;
      const { name, arguments: args } = call;
      const id = `call_${this.#answers.length + 1}`;
      if (filler !== undefined) this.#say(filler);
      const about = { tool_name: name, tool_call_id: id, tool_type: tool, event_id: this.#event };
      if (tellsTools) this.#socket.send({ type: "agent_tool_request", agent_tool_request: about });
      await this.#pause();
      let [value, isError] = [`no mock for ${name}`, true];
      if (tool === "client") {
        this.#socket.send({ type: "client_tool_call", client_tool_call: { ...about, parameters: args } });
        const answer = await this.#next("client_tool_result");
        if (answer === undefined) return true;
        [value, isError] = [answer.result, answer.is_error];
      } else {
        const stored = responseMocks.find((mock) => fits(mock, args));
        if (stored) [value, isError] = [Reflect.get(stored, "mock_result"), Reflect.get(stored, "is_error") === true];
      }
      const response = { ...about, is_error: isError, is_called: true };
      if (tellsTools) {
        this.#socket.send({ type: "agent_tool_response", agent_tool_response: response });
        const full = { ...response, full_tool_result: value };
        this.#socket.send({ type: "agent_tool_response_full_payload", agent_tool_response_full_payload: full });
      }
      results.push({ name, args, value, isError });
      this.#answers.push({
        tool_name: name,
        input_match_rule: { type: "any" },
        output: value,
        result: !isError,
        times: 1,
      });
      await this.#pause();
      turn = await this.#replay();
    }
    this.#variables = { ...this.#start, ...turn.variables };
    const entry = (message: string | null, more: object = {}) =>
      this.#transcript.push({
        role: "agent",
        message,
        agent_metadata: { agent_id: AGENT_ID, workflow_node_id: this.#node, version_id: VERSION },
        ...more,
      });
    let done = 0;
    const first = turn.events.find(({ kind }) => kind === "moves");
    this.#node ||= first?.kind === "moves" ? first.from : turn.node;
    for (const event of turn.events) {
      if (event.kind === "says") {
        this.#say(event.text);
        entry(event.text);
      } else if (event.kind === "moves") {
        this.#node = event.to;
        entry(null);
      } else {
        const { name, args, value, isError } = results[done++] ?? { name: "", args: {}, value: "", isError: true };
        const common = { request_id: `request_${this.#transcript.length}`, tool_name: name, type: tool };
        const tool_calls = [{ ...common, params_as_json: JSON.stringify(args), tool_has_been_called: true }];
        const tool_results = [{ ...common, result_value: value, is_error: isError, tool_latency_secs: 0.25 }];
        entry(null, { tool_calls, tool_results });
      }
    }
    if (!turn.ended) return false;
    const name = turn.ended === "agent_ended" ? "end_call" : "transfer_to_number";
    const common = { request_id: "request_end", tool_name: name, type: "system" };
    entry(null, { tool_calls: [{ ...common, params_as_json: "{}" }], tool_results: [{ ...common, is_error: false }] });
    const about = { tool_name: name, tool_call_id: "end", tool_type: "system", event_id: this.#event };
    if (tellsTools) this.#socket.send({ type: "agent_tool_request", agent_tool_request: about });
    this.#socket.close(1000);
    return true;
  }

  async #pause(): Promise<void> {
    const { toolMs } = this.#options;
    if (toolMs !== undefined) await new Promise((resolve) => setTimeout(resolve, toolMs));
  }

  async #replay(): Promise<BrainTurn> {
    return await replayTurn(this.#said, { mocks: this.#answers, variables: this.#start });
  }

  #say(text: string): void {
    const { parts = "before", completes = false, voice } = this.#options;
    this.#event += 1;
    const event_id = this.#event;
    if (voice) {
      const words = { type: "agent_response", agent_response_event: { agent_response: text, event_id } };
      if (!voice.audioFirst) this.#socket.send(words);
      const format = formatOf(voice.agent);
      const bytes = createSoundWriter(format, format.rate)(spoken(text, format.rate));
      const size = Math.ceil(bytes.length / (voice.parts ?? 1));
      for (let at = 0; at < bytes.length; at += size) {
        const audio_base_64 = Buffer.from(bytes.subarray(at, at + size)).toString("base64");
        this.#socket.send({ type: "audio", audio_event: { audio_base_64, event_id } });
      }
      if (voice.audioFirst) this.#socket.send(words);
      if (completes) this.#socket.send({ type: "agent_response_complete" });
      return;
    }
    const inParts = () => {
      const half = Math.ceil(text.length / 2);
      const pieces = [
        ["start", ""],
        ["delta", text.slice(0, half)],
        ["delta", text.slice(half)],
        ["stop", ""],
      ] as const;
      for (const [type, part] of pieces)
        this.#socket.send({ type: "agent_chat_response_part", text_response_part: { type, text: part, event_id } });
    };
    if (parts === "before" || parts === "only") inParts();
    if (parts !== "only")
      this.#socket.send({ type: "agent_response", agent_response_event: { agent_response: text, event_id } });
    if (parts === "after") inParts();
    if (completes) this.#socket.send({ type: "agent_response_complete" });
  }
}

/** A format as the platform names it: `pcm_16000`, `ulaw_8000`. */
function formatOf(name: string): SoundFormat {
  const [kind, rate] = name.split("_");
  return { encoding: kind === "pcm" ? "pcm" : "mulaw", rate: Number(rate) };
}

function callsOf({ events }: BrainTurn) {
  return events.filter(({ kind }) => kind === "calls");
}

function fits(mock: object, args: object): boolean {
  const conditions: unknown = Reflect.get(mock, "parameter_conditions");
  if (!Array.isArray(conditions)) return true;
  return conditions.every(({ path, eval: { expected_value: value } }) => String(Reflect.get(args, path)) === value);
}
