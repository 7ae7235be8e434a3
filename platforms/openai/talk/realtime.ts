import { randomUUID } from "node:crypto";
import { ScenarioError } from "../../../src/base/errors.ts";
import { defined, getAt, isListOf, isRecord, type JsonObject, OPTION, rule } from "../../../src/base/values/mod.ts";
import {
  type AgentCall,
  type AgentClient,
  type AgentConnection,
  type AgentSocket,
  createAgentClient,
  customContext,
  type OpenOptions,
  openAgentSocket,
  TEXT_ONLY,
} from "../../../src/call/connection/mod.ts";
import { costUsd, type ModelPrice } from "../../../src/call/models/mod.ts";
import { type CallVoice, type VoiceParts, type VoiceSetup, voiceConnection } from "../../../src/call/voice/mod.ts";
import { expandPrompt } from "../../../src/document/expressions/mod.ts";
import { type AgentOptions, CALL_VOICE, checkTalkOptions, endpointOf, voiceOptionsOf } from "../../talking/mod.ts";
import { startResponses } from "./responses.ts";
import { sessionWire, voiceSession } from "./voice.ts";

/** Options of `connect.openai()`. The session's configuration is the agent. */
export interface OpenAIOptions extends AgentOptions {
  /** Name of the model, such as `gpt-realtime`. */
  readonly model: string;
  /** The agent's instructions. `{{name}}` stands for a variable. */
  readonly instructions?: string;
  /** Definitions of functions, as the API takes them. The mocks of the scenario answer them. Default: none. */
  readonly tools?: readonly JsonObject[];
  /** Whether the agent speaks first: the session then begins with a response. Default: false. */
  readonly opening?: boolean;
  /** Names of functions that end the call; they need no mock. */
  readonly ends?: readonly string[];
  /** Names of functions that transfer the call; they need no mock. */
  readonly transfers?: readonly string[];
  /** Other settings of the session, such as `{ max_output_tokens: 500 }`. */
  readonly session?: JsonObject;
  /** Calls by voice, in place of text. The model's voice is a part of `session`. Default: false. */
  readonly voice?: CallVoice;
  /** Price of the model's text, in US dollars per million tokens. Without it, and by voice, the cost of calls is not known. */
  readonly price?: ModelPrice;
}

const RULES = {
  model: rule("a text that is not empty", (value) => typeof value === "string" && value.trim() !== ""),
  instructions: OPTION.text,
  tools: rule("a list of objects", (value) => isListOf(value, isRecord)),
  opening: OPTION.switch,
  ends: OPTION.texts,
  transfers: OPTION.texts,
  session: OPTION.object,
  voice: CALL_VOICE,
  price: rule(
    "an object with the numbers input and output",
    (value) => isRecord(value) && typeof value.input === "number" && typeof value.output === "number",
  ),
};

const ENDPOINT = { baseUrl: "https://api.openai.com/v1", keyVariable: "OPENAI_API_KEY" };

/**
 * Connects to a model of OpenAI's Realtime API, in text or by voice. Its functions are answered by the mocks of the
 * scenario; a call without a mock fails, as in a call with a graph.
 *
 * @throws {ScenarioError} `invalid-option`, `missing-key-variable`.
 */
export function openAIConnection(given: OpenAIOptions, parts: Partial<VoiceParts> = {}): AgentConnection {
  const options = checkTalkOptions(given, RULES, { model: '"gpt-realtime"' });
  const { model, version, name = `openai:${model}`, instructions, tools = [], opening = false } = options;
  const { ends, transfers } = options;
  const client = createAgentClient(name, endpointOf(options, ENDPOINT));
  const voice = voiceOptionsOf(options.voice, opening);
  const facts = {
    name,
    ...defined({ version }),
    reportsCost: options.price !== undefined && voice === undefined,
    capabilities: {
      ...TEXT_ONLY,
      text: voice === undefined,
      voice: voice !== undefined,
      toolArguments: tools.length > 0,
      mocks: tools.length > 0,
      startVariables: instructions !== undefined,
      endSignal: ends !== undefined || transfers !== undefined,
      transferSignal: transfers !== undefined,
      transcripts: voice !== undefined && isRecord(getAt(options.session, ["audio", "input", "transcription"])),
      version: version !== undefined,
      opening,
    },
  };
  if (voice) {
    checkListens(options.session);
    return voiceConnection(facts, voice, {
      dial: async (open) => {
        const call = { name, options, client, open };
        return await dialVoice(call, await openSocket(call));
      },
      ...parts,
    });
  }
  return {
    ...facts,
    open: async (open) => {
      const parts = { name, options, client, open };
      return await openCall(parts, await openSocket(parts));
    },
  };
}

/** A session that does not hear the end of the caller's turn never answers. */
function checkListens(session: JsonObject | undefined): void {
  if (getAt(session, ["audio", "input", "turn_detection"]) !== null) return;
  throw new ScenarioError("Cannot connect: by voice, the session has to hear the end of the caller's turn", {
    code: "invalid-option",
    path: ["session", "audio", "input", "turn_detection"],
    hint: 'Leave it out, or pass { type: "server_vad" } or { type: "semantic_vad" }',
  });
}

interface CallParts {
  readonly name: string;
  readonly options: OpenAIOptions;
  readonly client: AgentClient;
  readonly open: OpenOptions;
}

async function openSocket({ name, options, client, open }: CallParts): Promise<AgentSocket> {
  const { model, baseUrl = ENDPOINT.baseUrl, throttleLimitMs } = options;
  const url = new URL(`${baseUrl.replace(/^http/, "ws").replace(/\/+$/, "")}/realtime`);
  url.searchParams.set("model", model);
  return await openAgentSocket(name, {
    url: url.href,
    signal: open.signal,
    pauseClock: open.pauseClock,
    headers: { authorization: `Bearer ${client.key ?? ""}` },
    withoutSecrets: client.withoutSecrets,
    ...defined({ throttleLimitMs }),
  });
}

/** What the session says to the functions of a call, and how it begins. */
function sessionOf({ options, open }: CallParts) {
  const { instructions, tools = [], ends = [], transfers = [], session = {} } = options;
  const { mocks, variables } = customContext(open);
  const spoken = instructions === undefined ? undefined : expandPrompt(instructions, { snippets: {}, variables });
  const settings: JsonObject = {
    ...session,
    type: "realtime",
    ...(options.voice ? voiceSession(session) : { output_modalities: ["text"] }),
    ...defined({ instructions: spoken }),
    ...(tools.length > 0 ? { tools } : {}),
  };
  return { settings, mocks, ends, transfers };
}

async function dialVoice(parts: CallParts, socket: AgentSocket): Promise<VoiceSetup> {
  const { name, options, client, open } = parts;
  const { settings, ...functions } = sessionOf(parts);
  const interrupts = getAt(options.session, ["audio", "input", "turn_detection", "interrupt_response"]) !== false;
  try {
    const responses = startResponses(socket, { name, client, signal: open.signal, ...functions });
    const callId = (await responses.configure(settings)) ?? `session-${randomUUID()}`;
    const wire = sessionWire(socket, { name, client, interrupts, ...functions });
    if (options.opening) socket.send({ type: "response.create" });
    return { callId, wire };
  } catch (error) {
    await socket.close();
    throw error;
  }
}

async function openCall({ name, options, client, open }: CallParts, socket: AgentSocket): Promise<AgentCall> {
  const { model, opening = false, price } = options;
  const { settings, ...functions } = sessionOf({ name, options, client, open });
  const responses = startResponses(socket, { name, client, signal: open.signal, ...functions });
  try {
    const callId = await responses.configure(settings);
    return {
      opening: opening ? await responses.next() : { events: [] },
      say: async (text) => {
        const content = [{ type: "input_text", text }];
        socket.send({ type: "conversation.item.create", item: { type: "message", role: "user", content } });
        return await responses.next();
      },
      close: async () => {
        await socket.close();
        const { usage } = responses;
        const own = `openai/${model}`;
        const cost = usage && costUsd(own, usage, price ? { [own]: price } : {});
        return defined({ callId, costUsd: cost });
      },
    };
  } catch (error) {
    await socket.close();
    throw error;
  }
}
