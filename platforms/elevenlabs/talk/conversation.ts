import { defined, isRecord, type JsonObject, OPTION, rule } from "../../../src/base/values/mod.ts";
import {
  type AgentCall,
  type AgentClient,
  type AgentConnection,
  type AgentSocket,
  type CallRequest,
  ConnectionError,
  type ConnectionRecord,
  connectionFailure,
  createAgentClient,
  type OpenOptions,
  openAgentSocket,
  TEXT_ONLY,
} from "../../../src/call/connection/mod.ts";
import { type CallVoice, type VoiceParts, type VoiceSetup, voiceConnection } from "../../../src/call/voice/mod.ts";
import { textOf } from "../../../src/document/expressions/mod.ts";
import type { ToolMock } from "../../../src/document/scenario/mod.ts";
import {
  AGENT_ID,
  type AgentOptions,
  CALL_VOICE,
  checkTalkOptions,
  endpointOf,
  voiceOptionsOf,
} from "../../talking/mod.ts";
import { ELEVENLABS_TRAITS } from "../traits/mod.ts";
import { type ElevenLabsAgent, readElevenLabsAgent } from "./agent.ts";
import { answerPing, startConversation } from "./messages.ts";
import { type RecordRequest, readRecord } from "./record.ts";
import { startTurns } from "./turns.ts";
import { conversationFormats, conversationWire } from "./voice.ts";

/** Options of `connect.elevenlabs()`. */
export interface ElevenLabsOptions extends AgentOptions {
  readonly agentId: string;
  /** Id of the branch. Default: the main branch. */
  readonly branchId?: string;
  /** Id of the version. Default: the newest of the branch when the run starts. */
  readonly version?: string;
  /** Whose environment variables the agent uses. Default: `production`. */
  readonly environment?: string;
  /**
   * Whether the agent is public: it is called by its id, without a signed URL. Without a key (`keyVariable`), nothing is
   * known of its tools, nodes and variables.
   */
  readonly isPublic?: boolean;
  /** Whether the agent speaks first. Default: what its settings say. */
  readonly opening?: boolean;
  /** Calls by voice, in place of text. Default: false. */
  readonly voice?: CallVoice;
  /**
   * In text, how long a turn stays open after the agent's words, in milliseconds: whether more words follow is not said. Default:
   * 1,000.
   */
  readonly settleMs?: number;
  /** How long the end of a call waits for its record, in milliseconds. At most 8,000, which is the default. */
  readonly recordMs?: number;
}

/** Closing a call has a time limit of its own. */
const MOST_RECORD_MS = 8_000;
const SETTLE_MS = 1_000;

const RULES = {
  agentId: AGENT_ID,
  branchId: OPTION.text,
  environment: OPTION.text,
  isPublic: OPTION.switch,
  opening: OPTION.switch,
  voice: CALL_VOICE,
  settleMs: OPTION.milliseconds,
  recordMs: rule(
    `a number of milliseconds from 0 to ${MOST_RECORD_MS}`,
    (value) => typeof value === "number" && value >= 0 && value <= MOST_RECORD_MS,
  ),
};

const { baseUrl, keyVariable, authentication } = ELEVENLABS_TRAITS.connection;
/** Where the platform answers. */
const ENDPOINT = { baseUrl, keyVariable, keyHeader: authentication?.header ?? "" };

/**
 * Connects to an agent of ElevenLabs, in text or by voice. Its tools do not run: those of the client are answered by the
 * scenario's mocks, all others by the mocks that are stored on the platform. Nodes, arguments and variables are known after
 * the call.
 *
 * @throws {ScenarioError} `invalid-option`, `missing-key-variable`.
 */
export function elevenLabsConnection(given: ElevenLabsOptions, parts: Partial<VoiceParts> = {}): AgentConnection {
  const options = checkTalkOptions(given, RULES, { agentId: '"agent_…"' });
  const { agentId, version, isPublic = false, name = `elevenlabs:${agentId}` } = options;
  const { keyHeader, keyVariable: _, ...open } = endpointOf(options, ENDPOINT);
  const hasKey = !isPublic || options.keyVariable !== undefined;
  const client = createAgentClient(name, hasKey ? endpointOf(options, ENDPOINT) : open);
  const look = async (request: CallRequest): Promise<ElevenLabsAgent | undefined> =>
    hasKey ? await readElevenLabsAgent(client, options, request) : undefined;
  const factsOf = (agent?: ElevenLabsAgent) => ({
    name,
    ...defined({ version: agent?.version ?? version }),
    capabilities: {
      ...TEXT_ONLY,
      text: voice === undefined,
      voice: voice !== undefined,
      transcripts: voice !== undefined,
      nodeAfterwards: agent?.hasNodes ?? false,
      toolArguments: hasKey,
      // which mocks are stored is known from the tools
      mocks: agent ? agent.tools !== undefined : hasKey,
      opening: options.opening ?? agent?.opens ?? true,
      startVariables: true,
      variables: hasKey,
      endSignal: true,
      version: true,
    },
    ...defined({ tools: agent?.tools }),
  });
  const voice = voiceOptionsOf(options.voice, options.opening);
  const partsOf = async (open: OpenOptions, agent?: ElevenLabsAgent): Promise<CallParts> => {
    return { name, options, client, hasKey, open, agent: agent ?? (await look(open)) };
  };
  if (voice) {
    const dial = async (open: OpenOptions, agent?: ElevenLabsAgent) => await dialVoice(await partsOf(open, agent));
    return voiceConnection(factsOf(), voice, {
      dial,
      look: async (request) => {
        const agent = await look(request);
        return { facts: factsOf(agent), dial: async (open) => await dial(open, agent) };
      },
      ...parts,
    });
  }
  const connectionTo = (agent?: ElevenLabsAgent): AgentConnection => ({
    ...factsOf(agent),
    prepare: async (request) => connectionTo(await look(request)),
    open: async (open) => {
      const parts = await partsOf(open, agent);
      return await openCall(parts, await openSocket(parts));
    },
  });
  return connectionTo();
}

interface CallParts {
  readonly name: string;
  readonly options: ElevenLabsOptions;
  readonly client: AgentClient;
  readonly hasKey: boolean;
  readonly open: OpenOptions;
  readonly agent: ElevenLabsAgent | undefined;
}

async function openSocket(parts: CallParts): Promise<AgentSocket> {
  const { name, options, client, open } = parts;
  const url = options.isPublic ? publicUrl(parts) : await signedUrl(parts);
  client.hide(url);
  const { throttleLimitMs } = options;
  return await openAgentSocket(name, {
    url,
    protocols: ["convai"],
    signal: open.signal,
    pauseClock: open.pauseClock,
    withoutSecrets: client.withoutSecrets,
    answer: answerPing,
    ...defined({ throttleLimitMs }),
  });
}

function publicUrl({ options }: CallParts): string {
  const { agentId, branchId, version, environment, baseUrl = ENDPOINT.baseUrl } = options;
  const url = new URL(`${baseUrl.replace(/^http/, "ws").replace(/\/+$/, "")}/v1/convai/conversation`);
  const query = defined({ agent_id: agentId, branch_id: branchId, version_id: version, environment });
  for (const [key, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(key, value);
  return url.href;
}

async function signedUrl({ name, options, client, open, agent }: CallParts): Promise<string> {
  const { agentId, branchId, version, environment } = options;
  const ask = async (pinned: string | undefined) => {
    const query = { agent_id: agentId, branch_id: branchId, version_id: pinned, environment };
    return await client.send({ path: "/v1/convai/conversation/get-signed-url", query }, open);
  };
  let found: unknown;
  try {
    found = await ask(version ?? agent?.version);
  } catch (error) {
    // whether each version can be called by its id is not documented; the record names the one that answered
    const isRefused = error instanceof ConnectionError && ["refused", "unknown-agent"].includes(error.kind);
    if (!isRefused || version !== undefined || agent?.version === undefined) throw error;
    found = await ask(undefined);
  }
  const url = isRecord(found) ? found.signed_url : undefined;
  if (typeof url === "string" && /^wss?:/.test(url) && URL.canParse(url)) {
    for (const value of new URL(url).searchParams.values()) if (value !== agentId) client.hide(value);
    return url;
  }
  throw connectionFailure(name, "vendor", "it did not return a signed URL");
}

async function openCall(parts: CallParts, socket: AgentSocket): Promise<AgentCall> {
  const { name, options, client, open, agent } = parts;
  const { settleMs = SETTLE_MS, opening = agent?.opens ?? true } = options;
  const { signal, mocks } = open;
  const unanswered = agent?.unanswered ?? new Set<string>();
  const turns = startTurns(socket, { name, mocks, signal, settleMs, unanswered, client });
  let said = 0;
  try {
    socket.send(initiation(parts));
    const conversationId = await turns.ready();
    const first = opening ? await turns.next() : { events: [] };
    return {
      opening: first,
      say: async (text) => {
        const before = await turns.waiting();
        if (before.ended) return before;
        said += 1;
        socket.send({ type: "user_message", text });
        const { events, ...turn } = await turns.next();
        return { events: [...before.events, ...events], ...turn };
      },
      close: async ({ signal }) => {
        await socket.close();
        return await recordOf(parts, { conversationId, said, signal, answered: turns.answered });
      },
    };
  } catch (error) {
    await socket.close();
    throw error;
  }
}

/** Calls the agent by voice. */
async function dialVoice(parts: CallParts): Promise<VoiceSetup> {
  const { name, client, open, agent } = parts;
  if (agent?.isTextOnly)
    throw connectionFailure(name, "refused", "its conversations are text only", { hint: "Leave voice out" });
  const socket = await openSocket(parts);
  const unanswered = agent?.unanswered ?? new Set<string>();
  const conversation = startConversation(socket, { name, mocks: open.mocks, unanswered, client });
  try {
    socket.send(initiation(parts));
    const formats = await conversationFormats(conversation, open);
    const { conversationId = "", answered } = conversation;
    return {
      callId: conversationId,
      wire: conversationWire(conversation, formats),
      record: async (call) => await recordOf(parts, { ...call, conversationId, answered }),
    };
  } catch (error) {
    await socket.close();
    throw error;
  }
}

/** The record of a call that is over. */
async function recordOf(
  { name, options, client, hasKey, open, agent }: CallParts,
  call: Pick<RecordRequest, "conversationId" | "said" | "signal" | "answered">,
): Promise<ConnectionRecord> {
  // a call that broke off is an error already
  if (!hasKey || open.signal.aborted) return { callId: call.conversationId };
  const { recordMs: limitMs = MOST_RECORD_MS } = options;
  const { allowRealTools: isReal, mocks } = open;
  const stored = isReal ? storedMocks(mocks, agent) : [];
  const answered = new Set([...call.answered, ...stored]);
  return await readRecord(client, { ...call, name, hasNodes: agent?.hasNodes ?? false, isReal, limitMs, answered });
}

/** The first message of a conversation. */
function initiation({ options, open, agent }: CallParts): JsonObject {
  const variables = Object.entries(open.variables).map(([key, value]) => [key, textOf(value, key)]);
  const isVoice = voiceOptionsOf(options.voice, undefined) !== undefined;
  return {
    type: "conversation_initiation_client_data",
    // agents for voice must allow this override in their settings
    ...(agent?.isTextOnly || isVoice ? {} : { conversation_config_override: { conversation: { text_only: true } } }),
    dynamic_variables: Object.fromEntries(variables.filter(([, value]) => value !== undefined)),
    tool_mock_config: mockConfig(open.mocks, agent, open.allowRealTools),
  };
}

/** Which tools answer with their mocks. Without leave to run, a tool without one fails. */
function mockConfig(mocks: readonly ToolMock[], agent: ElevenLabsAgent | undefined, isReal: boolean): JsonObject {
  if (!isReal) return { mocking_strategy: "all", fallback_strategy: "raise_error" };
  const mocked = storedMocks(mocks, agent);
  const strategy = mocked.length > 0 ? "selected" : "none";
  return { mocking_strategy: strategy, mocked_tool_names: mocked, fallback_strategy: "call_real_tool" };
}

/** Tools whose stored mocks answer like those of the scenario. */
function storedMocks(mocks: readonly ToolMock[], agent: ElevenLabsAgent | undefined): readonly string[] {
  return (agent?.tools ?? []).flatMap(({ name, answersLike }) => {
    const own = mocks.filter(({ tool_name: tool }) => tool === name);
    return own.length > 0 && answersLike?.(own) ? [name] : [];
  });
}
