import { defined, isListOf, isRecord, type JsonObject, shown } from "../../../src/base/values/mod.ts";
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
import { endpointOf } from "../../talking/mod.ts";
import { RETELL_TRAITS } from "../traits/mod.ts";
import { type RetellAgent, readRetellAgent } from "./agent.ts";
import { readMessages } from "./messages.ts";
import type { RetellOptions } from "./options.ts";
import { numberOrTag, textsOf } from "./request_values.ts";

/** What chats can do. Their tools run, and transitions say at which node the agent is. */
const CAPABILITIES = {
  ...TEXT_ONLY,
  toolArguments: true,
  opening: true,
  startVariables: true,
  endSignal: true,
  transferSignal: false,
  version: true,
};

/**
 * Connects to a chat agent of Retell, by the chats that its customers have. Its tools run.
 *
 * @throws {ScenarioError} `missing-key-variable`.
 */
export function retellChat(options: RetellOptions): AgentConnection {
  const { agentId, version, name = `retell:${agentId}` } = options;
  const client = createAgentClient(name, endpointOf(options, RETELL_TRAITS.connection));
  const found = { name, agentId, version, isChat: true };
  const look = (request: CallRequest) => readRetellAgent(client, found, request);
  const connectionTo = (agent?: RetellAgent): AgentConnection => {
    const hasNodes = agent === undefined || (agent.hasNodes === true && agent.startNode !== undefined);
    return {
      name,
      ...defined({ version: agent?.version ?? version }),
      capabilities: { ...CAPABILITIES, nodeEachTurn: hasNodes, opening: agent?.opens ?? true },
      ...(agent?.tools ? { tools: agent.tools.map((tool) => ({ name: tool, isMockable: false })) } : {}),
      ...defined({ document: agent?.document, nodes: hasNodes ? agent?.nodes : undefined }),
      prepare: async (request) => connectionTo(await look(request)),
      open: async (open) => await openChat({ name, agentId, client, open, agent: agent ?? (await look(open)) }),
    };
  };
  return connectionTo();
}

interface ChatParts {
  readonly name: string;
  readonly agentId: string;
  readonly client: AgentClient;
  readonly agent: RetellAgent;
  readonly open: OpenOptions;
}

async function openChat(parts: ChatParts): Promise<AgentCall> {
  const { name, agentId, client, agent, open } = parts;
  let node = agent.hasNodes === true ? agent.startNode : undefined;
  const wrong = (what: string) => connectionFailure(name, "vendor", `its answer has ${what}`);
  const turnOf = (messages: unknown, status: unknown): AgentTurn => {
    if (!isListOf(messages, isRecord)) throw wrong("no list of messages");
    if (typeof status !== "string") throw wrong(`${shown(status)} as chat_status`);
    if (status === "error") throw connectionFailure(name, "vendor", "the chat ended with an error");
    const events = [...readMessages(messages, { name, isAtStart: false, count: (called) => called })];
    if (node !== undefined) events.unshift({ kind: "node", node });
    node = events.flatMap((event) => (event.kind === "node" ? [event.node] : [])).at(-1) ?? node;
    return { events, ...(status === "ended" ? { ended: "agent_ended" } : {}) };
  };
  const body = {
    agent_id: agentId,
    ...defined({ agent_version: numberOrTag(agent.version) }),
    retell_llm_dynamic_variables: textsOf(open.variables),
  };
  const chat = await client.send({ path: "/create-chat", body }, open);
  if (!isRecord(chat) || typeof chat.chat_id !== "string") throw wrong("no chat_id");
  const { chat_id: id, message_with_tool_calls: said = [] } = chat;
  const get = async (request: CallRequest): Promise<JsonObject> => {
    const found = await client.send({ path: `/get-chat/${encodeURIComponent(id)}` }, request);
    if (isRecord(found) && found.chat_id === id) return found;
    throw wrong("no chat");
  };
  return {
    opening: turnOf(said, chat.chat_status),
    say: async (content) => {
      const answer = await client.send({ path: "/create-chat-completion", body: { chat_id: id, content } }, open);
      if (!isRecord(answer)) throw wrong("no list of messages");
      // the answer does not say whether the chat goes on
      return turnOf(answer.messages, (await get(open)).chat_status);
    },
    close: async ({ signal }) => {
      const request = { signal, pauseClock: () => () => {} };
      const path = `/end-chat/${encodeURIComponent(id)}`;
      await client.send({ method: "PATCH", path }, request).catch(() => undefined);
      return defined({ callId: id, version: agent.version });
    },
  };
}
