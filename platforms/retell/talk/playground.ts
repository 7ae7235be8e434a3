import { defined, isListOf, isRecord, type JsonObject, parsedJson, shown } from "../../../src/base/values/mod.ts";
import {
  type AgentCall,
  type AgentClient,
  type AgentConnection,
  type AgentTurn,
  type CallRequest,
  ConnectionError,
  connectionFailure,
  createAgentClient,
  type OpenOptions,
} from "../../../src/call/connection/mod.ts";
import { expandPrompt, textOf } from "../../../src/document/expressions/mod.ts";
import type { ToolMock } from "../../../src/document/scenario/mod.ts";
import { endpointOf, mockText, type SentMocks, sentMocks, voiceOptionsOf } from "../../talking/mod.ts";
import { RETELL_TRAITS } from "../traits/mod.ts";
import { type RetellAgent, readRetellAgent } from "./agent.ts";
import { retellChat } from "./chat.ts";
import { readMessages } from "./messages.ts";
import { checkRetell, type RetellOptions } from "./options.ts";
import { type RetellVoiceParts, retellVoice } from "./voice.ts";

/** Text tests are billed by the message: docs.retellai.com/test/testing-pricing. */
const COST_PER_REPLY_USD = { least: 0.001, most: 0.05 };

/** What the playground can do; what an agent does is known when it was looked up. */
const CAPABILITIES = {
  nodeEachTurn: true,
  nodeAfterwards: false,
  toolArguments: true,
  mocks: true,
  opening: true,
  startVariables: true,
  variables: true,
  endSignal: true,
  text: true,
  voice: false,
  version: true,
};

/**
 * Connects to an agent of Retell in text, by the platform's playground. It stores nothing, names the node each turn and
 * takes mocks. Its credit pays for each message. Or by voice, over the gateway of its web calls.
 *
 * @throws {ScenarioError} `invalid-option`, `missing-key-variable`.
 */
export function retellConnection(given: RetellOptions, parts: RetellVoiceParts = {}): AgentConnection {
  const options = checkRetell(given);
  if (options.chat) return retellChat(options);
  const voice = voiceOptionsOf(options.voice, undefined);
  if (voice) return retellVoice(options, voice, parts);
  const { agentId, version, name = `retell:${agentId}` } = options;
  const client = createAgentClient(name, endpointOf(options, RETELL_TRAITS.connection));
  const look = (request: CallRequest) => readRetellAgent(client, { name, agentId, version }, request);
  const connectionTo = (agent?: RetellAgent): AgentConnection => ({
    name,
    ...defined({ version: agent?.version ?? version }),
    capabilities: { ...CAPABILITIES, nodeEachTurn: agent?.hasNodes ?? true, opening: agent?.opens ?? true },
    ...(agent?.tools ? { tools: agent.tools.map((tool) => ({ name: tool, isMockable: true })) } : {}),
    costPerReplyUsd: COST_PER_REPLY_USD,
    ...defined({ document: agent?.document, nodes: agent?.hasNodes ? agent.nodes : undefined }),
    prepare: async (request) => connectionTo(await look(request)),
    open: async (open) => await openCall({ name, agentId, client, open, agent: agent ?? (await look(open)) }),
  });
  return connectionTo();
}

/** What a call is made of. */
interface CallParts {
  readonly name: string;
  readonly agentId: string;
  readonly client: AgentClient;
  readonly agent: RetellAgent;
  readonly open: OpenOptions;
}

/** The state of a call: the playground keeps none, so that each request has all of it. */
interface Playground extends CallParts {
  readonly mocks: SentMocks;
  readonly messages: JsonObject[];
  readonly variables: Map<string, string>;
  node: string | undefined;
  state: string | undefined;
}

async function openCall(parts: CallParts): Promise<AgentCall> {
  const { agent, open } = parts;
  const variables = new Map<string, string>();
  const mocks = sentMocks(open.mocks, { tools: agent.tools ?? [], allowRealTools: open.allowRealTools });
  const call: Playground = { ...parts, mocks, messages: [], variables, node: undefined, state: undefined };
  merge(call, open.variables);
  return {
    opening: agent.opens === false ? { events: [] } : await takeOpening(call),
    say: async (text) => {
      call.messages.push({ role: "user", content: text });
      return await takeTurn(call);
    },
    close: async () => defined({ version: agent.version }),
  };
}

/**
 * What the agent says first. Whether the playground answers an empty history is not documented: if it does not, the
 * fixed text of the flow is the opening.
 */
async function takeOpening(call: Playground): Promise<AgentTurn> {
  const { agent, messages, variables } = call;
  let taken: AgentTurn = { events: [] };
  try {
    taken = await takeTurn(call);
  } catch (error) {
    if (!(error instanceof ConnectionError && error.kind === "refused")) throw error;
  }
  if (taken.events.some(({ kind }) => kind === "says") || taken.ended || agent.beginMessage === undefined) return taken;
  const text = expandPrompt(agent.beginMessage, { snippets: {}, variables: Object.fromEntries(variables) });
  messages.push({ role: "agent", content: text });
  call.node ??= agent.startNode;
  const { node } = call;
  const isNamed = node === undefined || taken.events.length > 0;
  return {
    ...taken,
    events: [...(isNamed ? [] : [{ kind: "node", node } as const]), ...taken.events, { kind: "says", text }],
  };
}

async function takeTurn(call: Playground): Promise<AgentTurn> {
  const { name, client, agentId, agent, open, mocks, messages, variables, node, state } = call;
  const component = node === undefined ? undefined : agent.components.get(node);
  const body = {
    messages,
    dynamic_variables: Object.fromEntries(variables),
    tool_mocks: mocks.left().map(toolMock),
    ...defined({ current_node_id: node, component_id: component, current_state: state }),
  };
  const path = `/agent-playground-completion/${encodeURIComponent(agentId)}`;
  const answer = await client.send({ path, query: { version: agent.version }, body }, open);
  const wrong = (what: string) => connectionFailure(name, "vendor", `its answer has ${what}`);
  if (!isRecord(answer) || !isListOf(answer.messages, isRecord)) throw wrong("no list of messages");
  const { current_node_id: at, current_state: stateAfter, dynamic_variables: changed, call_ended: ended } = answer;
  if (changed !== undefined && changed !== null && !isRecord(changed)) throw wrong(`${shown(changed)} as variables`);
  if (ended !== undefined && ended !== null && typeof ended !== "boolean") throw wrong(`${shown(ended)} as call_ended`);
  merge(call, changed ?? {});
  const isAtStart = call.node === undefined && call.state === undefined;
  const events = [...readMessages(answer.messages, { name, isAtStart, count: (called) => mocks.count(called) })];
  // the caller's words are in the history
  messages.push(...answer.messages.filter(({ role }) => role !== "user"));
  const last = isId(at) ? at : isId(stateAfter) ? stateAfter : undefined;
  const visited = events.flatMap((event) => (event.kind === "node" ? [event.node] : []));
  const isMoved = last !== undefined && last !== (visited.at(-1) ?? "");
  // a turn without a transition happens at the node that it names
  if (isMoved && visited.length === 0) events.unshift({ kind: "node", node: last });
  else if (isMoved) events.push({ kind: "node", node: last });
  call.node = isId(at) ? at : call.node;
  call.state = isId(stateAfter) ? stateAfter : call.state;
  const isTransferred = events.some((event) => {
    if (event.kind === "tool") return agent.transfers.has(event.call.name);
    return event.kind === "node" && agent.transfers.has(event.node);
  });
  return {
    events,
    variables: changed ?? {},
    ...(ended === true ? { ended: isTransferred ? "agent_transferred" : "agent_ended" } : {}),
  };
}

function toolMock(mock: ToolMock): JsonObject {
  const { tool_name, input_match_rule, result } = mock;
  const text = mockText(mock);
  // the platform expects JSON
  const output = parsedJson(text) === undefined ? JSON.stringify(text) : text;
  return { tool_name, input_match_rule, output, result };
}

function merge({ variables }: Playground, changed: { readonly [name: string]: unknown }): void {
  for (const [name, value] of Object.entries(changed)) {
    const text = textOf(value, name);
    if (text !== undefined) variables.set(name, text);
  }
}

function isId(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
