import { defined, isRecord, type JsonObject, OPTION, rule } from "../../../src/base/values/mod.ts";
import {
  type AgentCall,
  type AgentClient,
  type AgentConnection,
  type AgentSocket,
  type CallRequest,
  ConnectionError,
  connectionFailure,
  createAgentClient,
  type OpenOptions,
  openAgentSocket,
  TEXT_ONLY,
} from "../../../src/call/connection/mod.ts";
import { textOf } from "../../../src/document/expressions/mod.ts";
import type { ToolMock } from "../../../src/document/scenario/mod.ts";
import { AGENT_ID, type AgentOptions, checkTalkOptions, endpointOf } from "../../talking/mod.ts";
import { type ElevenLabsAgent, readElevenLabsAgent } from "./agent.ts";
import { readRecord } from "./record.ts";
import { answerPing, startTurns } from "./turns.ts";

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
  /**
   * How long a turn stays open after the agent's words, in milliseconds: whether more words follow is not said. Default:
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
  settleMs: OPTION.milliseconds,
  recordMs: rule(
    `a number of milliseconds from 0 to ${MOST_RECORD_MS}`,
    (value) => typeof value === "number" && value >= 0 && value <= MOST_RECORD_MS,
  ),
};

/** Where the platform answers. */
const ENDPOINT = {
  baseUrl: "https://api.elevenlabs.io",
  keyVariable: "ELEVENLABS_API_KEY",
  keyHeader: "xi-api-key",
};

/**
 * Connects to an agent of ElevenLabs in text. Its tools do not run: those of the client are answered by the scenario's
 * mocks, all others by the mocks that are stored on the platform. Nodes, arguments and variables are known after the call.
 *
 * @throws {ScenarioError} `invalid-option`, `missing-key-variable`.
 */
export function elevenLabsConnection(given: ElevenLabsOptions): AgentConnection {
  const options = checkTalkOptions(given, RULES, { agentId: '"agent_…"' });
  const { agentId, version, isPublic = false, name = `elevenlabs:${agentId}` } = options;
  const { keyHeader, keyVariable: _, ...open } = endpointOf(options, ENDPOINT);
  const hasKey = !isPublic || options.keyVariable !== undefined;
  const client = createAgentClient(name, hasKey ? endpointOf(options, ENDPOINT) : open);
  const look = async (request: CallRequest): Promise<ElevenLabsAgent | undefined> =>
    hasKey ? await readElevenLabsAgent(client, options, request) : undefined;
  const connectionTo = (agent?: ElevenLabsAgent): AgentConnection => ({
    name,
    ...defined({ version: agent?.version ?? version }),
    capabilities: {
      ...TEXT_ONLY,
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
    prepare: async (request) => connectionTo(await look(request)),
    open: async (open) => {
      const known = agent ?? (await look(open));
      const parts = { name, options, client, hasKey, open, agent: known };
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
  const { name, options, client, hasKey, open, agent } = parts;
  const { settleMs = SETTLE_MS, recordMs = MOST_RECORD_MS, opening = agent?.opens ?? true } = options;
  const { signal, mocks, allowRealTools } = open;
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
        // a call that broke off is an error already
        if (!hasKey || open.signal.aborted) return { callId: conversationId };
        const stored = allowRealTools ? storedMocks(mocks, agent) : [];
        const answered = new Set([...turns.answered, ...stored]);
        const isReal = allowRealTools;
        const hasNodes = agent?.hasNodes ?? false;
        const request = { name, conversationId, said, hasNodes, isReal, limitMs: recordMs, signal, answered };
        return await readRecord(client, request);
      },
    };
  } catch (error) {
    await socket.close();
    throw error;
  }

  /** The first message of a conversation. */
  function initiation({ open, agent }: CallParts): JsonObject {
    const variables = Object.entries(open.variables).map(([key, value]) => [key, textOf(value, key)]);
    return {
      type: "conversation_initiation_client_data",
      // agents for voice must allow this override in their settings
      ...(agent?.isTextOnly ? {} : { conversation_config_override: { conversation: { text_only: true } } }),
      dynamic_variables: Object.fromEntries(variables.filter(([, value]) => value !== undefined)),
      tool_mock_config: mockConfig(mocks, agent, allowRealTools),
    };
  }
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
