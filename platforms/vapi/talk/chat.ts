import { ScenarioError } from "../../../src/base/errors.ts";
import { defined, isRecord, type JsonObject, OPTION, oneOf } from "../../../src/base/values/mod.ts";
import {
  type AgentCall,
  type AgentClient,
  type AgentConnection,
  type AgentTurn,
  type CallRequest,
  connectionFailure,
  createAgentClient,
  type OpenOptions,
  TEXT_ONLY,
} from "../../../src/call/connection/mod.ts";
import { type CallVoice, type VoiceFacts, type VoiceParts, voiceConnection } from "../../../src/call/voice/mod.ts";
import { expandPrompt } from "../../../src/document/expressions/mod.ts";
import {
  AGENT_ID,
  type AgentOptions,
  CALL_VOICE,
  checkTalkOptions,
  checkVersion,
  endpointOf,
  voiceOptionsOf,
} from "../../talking/mod.ts";
import { VAPI_TRAITS } from "../traits/mod.ts";
import { readVapiAgent, type VapiAgent, type VapiTarget } from "./agent.ts";
import { readOutput } from "./output.ts";
import { dialVapi } from "./voice_call.ts";

/** Options of `connect.vapi()`: either an assistant or a squad. */
export type VapiOptions = VapiChatOptions &
  (
    | { readonly assistantId: string; readonly squadId?: undefined }
    | { readonly squadId: string; readonly assistantId?: undefined }
  );

/** Options of chats and calls with agents of Vapi. */
export interface VapiChatOptions extends AgentOptions {
  /**
   * Version of an assistant, such as `v3`. Calls by voice choose it; chats use the newest, and refuse another one. Squads
   * have no versions.
   */
  readonly version?: string;
  /**
   * What keeps the context between the chats of a call: a session, or the id of the previous chat. Default: `session` for
   * squads, because it is to keep the member that speaks, and `previous-chat` for assistants.
   */
  readonly context?: "session" | "previous-chat";
  /** Calls by voice, in place of text. Default: false. */
  readonly voice?: CallVoice;
  /** By voice, whether the agent speaks first. Default: what its settings say. */
  readonly opening?: boolean;
}

/** Concurrent calls of an account, unless it has more: openapi.json of VapiAI/docs. */
const MAX_CALLS = 10;

/** The rules of {@link VapiChatOptions} besides those of all platforms. */
const RULES = {
  assistantId: AGENT_ID,
  squadId: AGENT_ID,
  context: oneOf("session", "previous-chat"),
  voice: CALL_VOICE,
  opening: OPTION.switch,
};

/**
 * Connects to an assistant or a squad of Vapi: in text, by the platform's chat, or by voice. It reports tool calls, and the
 * member of a squad that speaks. Tools run: Vapi takes no mocks.
 *
 * @throws {ScenarioError} `invalid-option`, `missing-key-variable`.
 */
export function vapiConnection(given: VapiOptions, parts: Partial<VoiceParts> = {}): AgentConnection {
  const { assistantId, squadId, ...options } = checkTalkOptions(given, RULES, {});
  if (assistantId !== undefined && squadId === undefined) return talkWith({ assistantId }, options, parts);
  if (squadId !== undefined && assistantId === undefined) return talkWith({ squadId }, options, parts);
  const has = assistantId === undefined ? "neither assistantId nor squadId" : "both assistantId and squadId";
  throw new ScenarioError(`Cannot connect: there is ${has}`, {
    code: "invalid-option",
    path: ["assistantId"],
    hint: 'Pass { assistantId: "…" } or { squadId: "…" }',
  });
}

/** Connects to the assistant or squad with an id. */
export function vapiConnectionTo({ id, ...given }: VapiChatOptions & { readonly id: string }): AgentConnection {
  const { assistantId, ...options } = checkTalkOptions({ ...given, assistantId: id }, RULES, {});
  return talkWith({ id: assistantId }, options, {});
}

function talkWith(
  target: VapiTarget | { readonly id: string },
  options: VapiChatOptions,
  parts: Partial<VoiceParts>,
): AgentConnection {
  const [id = ""] = Object.values(target);
  const { version, context, throttleLimitMs, name = `vapi:${id}` } = options;
  const voice = voiceOptionsOf(options.voice, options.opening);
  const client = createAgentClient(name, endpointOf(options, VAPI_TRAITS.connection));
  const look = async (request: CallRequest) => {
    const agent = await readVapiAgent({ name, client }, target, request);
    const plain = agent.version?.replace(/^v(?=\d)/, "");
    const isChosen = voice !== undefined && "assistantId" in agent.target;
    if (!isChosen) checkVersion(name, version, { newest: agent.version, also: plain === undefined ? [] : [plain] });
    return agent;
  };
  const factsOf = (agent?: VapiAgent): VoiceFacts => ({
    name,
    ...defined({ version: voice ? (version ?? agent?.version) : (agent?.version ?? version) }),
    maxCalls: MAX_CALLS,
    reportsCost: true,
    capabilities: {
      ...TEXT_ONLY,
      text: voice === undefined,
      voice: voice !== undefined,
      nodeEachTurn: agent ? agent.squad !== undefined : !("assistantId" in target),
      toolArguments: true,
      opening: (voice && options.opening) ?? opens(agent, voice !== undefined),
      startVariables: true,
      // the reason of a call's end is in its record; chats have only the tools
      endSignal: voice !== undefined || (agent?.ends.endCall ?? true),
      transferSignal: voice !== undefined || (agent?.ends.transferCall ?? true),
      transcripts: voice !== undefined,
      version: agent ? agent.version !== undefined : true,
    },
    ...(agent?.realTools ? { tools: agent.realTools.map((tool) => ({ name: tool, isMockable: false })) } : {}),
    ...(agent?.squad ? { nodes: [...agent.squad.members.keys()], document: agent.document } : {}),
  });
  if (voice) {
    const dial = async (open: OpenOptions, agent?: VapiAgent) =>
      await dialVapi({ name, client, agent: agent ?? (await look(open)), open, version, throttleLimitMs });
    return voiceConnection(factsOf(), voice, {
      dial,
      look: async (request) => {
        const agent = await look(request);
        return { facts: factsOf(agent), dial: async (open) => await dial(open, agent) };
      },
      ...parts,
    });
  }
  const connectionTo = (agent?: VapiAgent): AgentConnection => ({
    ...factsOf(agent),
    prepare: async (request) => connectionTo(await look(request)),
    open: async (open) => {
      const known = agent ?? (await look(open));
      const isSquad = "squadId" in known.target;
      const joined = context ?? (isSquad ? "session" : "previous-chat");
      return await openChat({ name, client, open, agent: known, joined });
    },
  });
  return connectionTo();
}

/** Whether an agent speaks first: in chats, only its fixed words are known. */
function opens(agent: VapiAgent | undefined, isVoice: boolean): boolean {
  if (!agent) return true;
  return isVoice ? (agent.speaksFirst ?? true) : agent.opening !== undefined;
}

/** What a call is made of. */
interface ChatParts {
  readonly name: string;
  readonly client: AgentClient;
  readonly agent: VapiAgent;
  readonly open: OpenOptions;
  readonly joined: "session" | "previous-chat";
}

async function openChat(parts: ChatParts): Promise<AgentCall> {
  const { name, client, agent, open, joined } = parts;
  const { target, opening } = agent;
  const overrides =
    Object.keys(open.variables).length > 0 ? { assistantOverrides: { variableValues: open.variables } } : {};
  const start: JsonObject = { ...target, ...overrides };
  const sessionId = joined === "session" ? await openSession(start, parts) : undefined;
  const words =
    opening && expandPrompt(opening.text, { snippets: {}, variables: { ...opening.defaults, ...open.variables } });
  let chatId: string | undefined;
  let node = agent.squad?.start;
  let costUsd: number | undefined = 0;
  const take = async (text: string): Promise<AgentTurn> => {
    const isFirst = chatId === undefined;
    // chats have no opening of their own: the agent reads in the history what it said
    const said = { role: "user", content: text };
    const input = isFirst && words !== undefined ? [{ role: "assistant", content: words }, said] : text;
    const context = sessionId === undefined ? { ...start, ...defined({ previousChatId: chatId }) } : { sessionId };
    const answer = await client.send({ path: "/chat", body: { ...context, input } }, open);
    if (!isRecord(answer) || typeof answer.id !== "string" || answer.id === "")
      throw connectionFailure(name, "vendor", "its answer has no id of the chat");
    chatId = answer.id;
    costUsd = typeof answer.cost === "number" && costUsd !== undefined ? costUsd + answer.cost : undefined;
    const read = readOutput(answer.output, { name, agent, node, opening: isFirst ? words : undefined });
    node = read.node;
    return read.turn;
  };
  return {
    opening: { events: words === undefined ? [] : [...nodeEvents(node), { kind: "says", text: words }] },
    say: take,
    close: async () =>
      defined({
        version: agent.version,
        callId: sessionId ?? chatId,
        costUsd: chatId === undefined ? undefined : costUsd,
      }),
  };
}

function nodeEvents(node: string | undefined): AgentTurn["events"] {
  return node === undefined ? [] : [{ kind: "node", node }];
}

async function openSession(start: JsonObject, { name, client, open }: ChatParts): Promise<string> {
  const session = await client.send({ path: "/session", body: start }, open);
  if (isRecord(session) && typeof session.id === "string" && session.id !== "") return session.id;
  throw connectionFailure(name, "vendor", "its answer has no id of the session");
}
