import { randomUUID } from "node:crypto";
import { ScenarioError } from "../../base/errors.ts";
import {
  checkOptions,
  defined,
  groupOf,
  isListOf,
  isRecord,
  type JsonObject,
  OPTION,
  oneOf,
  rule,
} from "../../base/values/mod.ts";
import {
  type AgentConnection,
  createAgentClient,
  ENDPOINT_RULES,
  type EndpointOptions,
  openAgentSocket,
  TEXT_ONLY,
} from "../connection/mod.ts";
import { VOICE_RULES, type VoiceOptions } from "./options.ts";
import type { SoundFormat } from "./sound_format.ts";
import { type VoiceParts, voiceConnection } from "./voice_call.ts";
import { type MessageMatch, startMessageWire, type WebSocketMessages } from "./web_socket_wire.ts";

/** Options of `connect.webSocket()`. */
export interface WebSocketOptions
  extends VoiceOptions,
    Pick<EndpointOptions, "name" | "version" | "url" | "keyVariable" | "keyHeader" | "throttleLimitMs" | "env"> {
  /** Headers of the handshake. They are not redacted in errors: pass no secrets. */
  readonly headers?: { readonly [name: string]: string };
  /** Subprotocols, the preferred first. */
  readonly protocols?: readonly string[];
  /** Messages in JSON that begin a call; a function gets the scenario's variables. Default: none. */
  readonly start?:
    | readonly JsonObject[]
    | ((call: {
        readonly callId: string;
        readonly variables: { readonly [name: string]: unknown };
      }) => readonly JsonObject[]);
  /** The message after which the agent can be talked to. Default: it can be when the connection is open. */
  readonly ready?: MessageMatch;
  /**
   * The sound that the agent hears. `message`: makes the message in JSON of a part of sound in base64; without it, sound is
   * sent as binary messages. Default: PCM with 16 bit and 16,000 samples per second.
   */
  readonly caller?: Partial<SoundFormat> & { readonly message?: (audio: string) => JsonObject };
  /**
   * The agent's sound. `path`: JSON path of sound in base64; without it, binary messages are sound. Default: PCM with 16
   * bit and 16,000 samples per second.
   */
  readonly agent?: Partial<SoundFormat> & { readonly path?: string };
  /** What the agent's messages in JSON say. Others are ignored. Default: nothing. */
  readonly messages?: WebSocketMessages;
  /** A message in JSON that ends the call, before the connection is closed. Default: none. */
  readonly bye?: JsonObject;
}

const PATH = rule("a JSON path such as $.reply", (value) => typeof value === "string" && /^\$?[^$]+$/.test(value));
const MATCH = groupOf({
  path: PATH,
  is: rule("a text, a number, true or false", (value) => ["string", "number", "boolean"].includes(typeof value)),
});
const FORMAT = {
  encoding: oneOf("pcm", "mulaw"),
  rate: rule("a number from 8000 to 48000", (value) => typeof value === "number" && value >= 8000 && value <= 48_000),
};

const { name, version, keyVariable, keyHeader, headers, throttleLimitMs, env } = ENDPOINT_RULES;
const RULES = {
  ...VOICE_RULES,
  ...{ name, version, keyVariable, keyHeader, headers, throttleLimitMs, env },
  url: rule(
    "an address that starts with ws:// or wss://, without a user and a password",
    (value) => typeof value === "string" && isAddress(value),
  ),
  protocols: OPTION.texts,
  start: rule("a list of objects, or a function", (value) => typeof value === "function" || isListOf(value, isRecord)),
  ready: MATCH,
  caller: groupOf({ ...FORMAT, message: OPTION.function }),
  agent: groupOf({ ...FORMAT, path: PATH }),
  messages: groupOf({
    ...{ words: PATH, heard: PATH, toolCalls: PATH },
    ...{ turnStart: MATCH, turnEnd: MATCH, clear: MATCH, transfer: MATCH },
  }),
  bye: OPTION.object,
};

/** The default of a sound's format. */
const DEFAULT_FORMAT: SoundFormat = { encoding: "pcm", rate: 16_000 };
/** Codes with which agents close the connection to end a call. Sockets of Node give none (1005) by default. */
const NORMAL_CODES = [1000, 1005];

/**
 * Calls an agent behind a WebSocket by voice: its sound is PCM or µ-law, in binary messages or in JSON.
 *
 * @throws {ScenarioError} `invalid-option`, `missing-key-variable`.
 */
export function webSocketConnection(given: WebSocketOptions, parts: Partial<VoiceParts> = {}): AgentConnection {
  const options = given ?? {}; // a call without types
  checkOptions(options, RULES, ScenarioError, "Cannot connect", { open: false });
  const {
    url,
    version,
    keyVariable,
    keyHeader,
    throttleLimitMs,
    env,
    headers = {},
    protocols = [],
    opening = true,
  } = options;
  if (url === undefined)
    throw new ScenarioError("Cannot connect: there is no url", {
      code: "invalid-option",
      path: ["url"],
      hint: 'Pass { url: "wss://agent.example.com/voice" }',
    });
  const { start = [], messages = {}, caller = {}, agent = {}, ready, bye } = options;
  const name = options.name ?? `websocket:${new URL(url).host}`;
  // the client keeps the key, and takes it out of messages
  const client = createAgentClient(name, {
    url: url.replace(/^ws/, "http"),
    ...defined({ keyVariable, keyHeader, env }),
  });
  const key = client.key === undefined ? {} : { [keyHeader ?? "authorization"]: keyed(client.key, keyHeader) };
  const facts = {
    name,
    ...defined({ version }),
    capabilities: {
      ...TEXT_ONLY,
      text: false,
      voice: true,
      toolArguments: messages.toolCalls !== undefined,
      opening,
      startVariables: typeof start === "function",
      endSignal: true,
      transferSignal: messages.transfer !== undefined,
      transcripts: messages.heard !== undefined,
      version: version !== undefined,
    },
  };
  return voiceConnection(facts, options, {
    dial: async ({ signal, pauseClock, variables }) => {
      const callId = `call-${randomUUID()}`;
      const socket = await openAgentSocket(name, {
        ...{ url, protocols, headers: { ...headers, ...key }, signal, pauseClock, normalCodes: NORMAL_CODES },
        withoutSecrets: client.withoutSecrets,
        ...defined({ throttleLimitMs }),
      });
      try {
        const first = typeof start === "function" ? start({ callId, variables }) : start;
        for (const message of first) socket.send(message);
        const wire = await startMessageWire(socket, {
          ...{ name, signal, messages, ready, bye },
          caller: { ...DEFAULT_FORMAT, ...caller },
          agent: { ...DEFAULT_FORMAT, ...agent },
        });
        return { callId, wire };
      } catch (error) {
        await socket.close();
        throw error;
      }
    },
    ...parts,
  });
}

function keyed(key: string, header: string | undefined): string {
  return header === undefined ? `Bearer ${key}` : key;
}

function isAddress(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return (protocol === "ws:" || protocol === "wss:") && username === "" && password === "";
}
