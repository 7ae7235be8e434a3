import { isRecord, type JsonObject, own, records } from "../../../src/base/values/mod.ts";
import type { AgentClient, CallRequest } from "../../../src/call/connection/mod.ts";
import { lookUp } from "../../talking/mod.ts";

/** What a connection needs to know of an agent before it talks to it. */
export interface RetellAgent {
  /** The version that answers; `undefined` if it is not known. */
  readonly version: string | undefined;
  /** Whether the agent speaks first; `undefined` if it is not known. */
  readonly opens: boolean | undefined;
  /** What it says first, if that is a fixed text. */
  readonly beginMessage: string | undefined;
  /** Id of the node, or name of the state, at which calls start. */
  readonly startNode: string | undefined;
  /** Whether it has nodes or states; `undefined` if it is not known. */
  readonly hasNodes: boolean | undefined;
  /** Ids and names of its nodes, or names of its states; `undefined` if they are not known. */
  readonly nodes: readonly string[] | undefined;
  /** The agent with its flow or LLM, as exports have it. */
  readonly document: JsonObject | undefined;
  /** Function names of its tools that do something outside of the call. `undefined`: they are not known. */
  readonly tools: readonly string[] | undefined;
  /** Function names of its tools that transfer the call, and ids of the nodes that do. */
  readonly transfers: ReadonlySet<string>;
  /** The component that a node is in, by the node's id. Nodes that are also outside of components are not in it. */
  readonly components: ReadonlyMap<string, string>;
}

/** Tools that only change the call itself: they need no mock. */
const INSIDE: readonly unknown[] = ["end_call", "extract_dynamic_variable", "press_digit", "cancel_transfer"];
/** Tools that hand the call to somebody else. */
const TRANSFERS: readonly unknown[] = ["transfer_call", "agent_swap", "bridge_transfer"];

const UNKNOWN: RetellAgent = {
  version: undefined,
  opens: undefined,
  beginMessage: undefined,
  startNode: undefined,
  hasNodes: undefined,
  nodes: undefined,
  document: undefined,
  tools: undefined,
  transfers: new Set(["transfer_call"]),
  components: new Map(),
};

/**
 * Looks an agent up, with its flow or LLM. The version is a number afterwards: without it, the newest draft would
 * answer, and it may be another one at each request.
 *
 * @throws {ConnectionError}
 */
export async function readRetellAgent(
  client: AgentClient,
  found: {
    readonly name: string;
    readonly agentId: string;
    readonly version?: string | undefined;
    readonly isChat?: boolean;
  },
  request: CallRequest,
): Promise<RetellAgent> {
  const { name, agentId, version, isChat = false } = found;
  const query = { version };
  const isAgent = (each: JsonObject) => each.agent_id === agentId && isRecord(each.response_engine);
  // a proxy may pass on the playground alone; for an agent that does not exist, the playground says so
  const agent = await lookUp(
    client,
    { path: `/${isChat ? "get-chat-agent" : "get-agent"}/${encodeURIComponent(agentId)}`, query },
    request,
    {
      name,
      has: isAgent,
    },
  );
  if (!agent) return { ...UNKNOWN, version };
  const pinned = typeof agent.version === "number" ? String(agent.version) : version;
  const engine = isRecord(agent.response_engine) ? agent.response_engine : {};
  const place = enginePath(engine);
  const engineVersion = typeof engine.version === "number" ? String(engine.version) : undefined;
  const ofEngine = { path: place ?? "", query: { version: engineVersion } };
  const content = place === undefined ? undefined : await lookUp(client, ofEngine, request, { name, has: isEngine });
  if (!content) return { ...UNKNOWN, version: pinned };
  const key = typeof engine.conversation_flow_id === "string" ? "conversationFlow" : "retellLlmData";
  return { ...contentOf(content), document: { ...agent, [key]: content }, version: pinned };
}

/** Whether an answer is a flow or an LLM. */
function isEngine({ nodes, states, general_prompt: prompt }: JsonObject): boolean {
  return Array.isArray(nodes) || Array.isArray(states) || isText(prompt);
}

function enginePath({ conversation_flow_id: flow, llm_id: llm }: JsonObject): string | undefined {
  if (typeof flow === "string") return `/get-conversation-flow/${encodeURIComponent(flow)}`;
  return typeof llm === "string" ? `/get-retell-llm/${encodeURIComponent(llm)}` : undefined;
}

/** Reads a flow or an LLM. */
function contentOf(content: JsonObject): RetellAgent {
  const { start_speaker: speaker, begin_message: begin, nodes, states, start_node_id, starting_state } = content;
  const components = records(content.components);
  const all = [content, ...components].flatMap((part) => records(part.nodes));
  const tools = [
    ...[content, ...components, ...all].flatMap((part) => records(part.tools)),
    ...records(content.general_tools),
    ...records(states).flatMap((state) => records(state.tools)),
  ];
  const transferring = [...tools, ...all].filter(({ type }) => TRANSFERS.includes(type));
  return {
    version: undefined,
    opens: begin === "" ? false : speaker === undefined ? undefined : speaker === "agent",
    beginMessage: firstWords(content),
    startNode: [start_node_id, starting_state].find(isText),
    hasNodes: Array.isArray(nodes) || records(states).length > 0,
    nodes: [...all, ...records(states)].flatMap(({ id, name }) => [id, name].filter(isText)),
    document: undefined,
    tools: [...new Set(tools.filter(({ type }) => !INSIDE.includes(type)).flatMap(namesOf))],
    transfers: new Set(transferring.flatMap((each) => [...namesOf(each), ...(isText(each.id) ? [each.id] : [])])),
    components: componentsOf(content, components),
  };
}

/** The text of the first node, or the begin message, unless a model makes it. */
function firstWords({ begin_message: begin, start_node_id: start, nodes }: JsonObject): string | undefined {
  if (isText(begin)) return begin === "" ? undefined : begin;
  const first = records(nodes).find(({ id }) => id === start);
  const instruction = isRecord(first?.instruction) ? first.instruction : {};
  return instruction.type === "static_text" && isText(instruction.text) ? instruction.text : undefined;
}

function componentsOf(content: JsonObject, components: readonly JsonObject[]): ReadonlyMap<string, string> {
  const outside = new Set(records(content.nodes).map(({ id }) => id));
  const inside = components.flatMap((component) => {
    const id = own(component, "conversation_flow_component_id") ? component.conversation_flow_component_id : undefined;
    if (!isText(id)) return [];
    return records(component.nodes).flatMap((node) => (isText(node.id) ? [[node.id, id] as const] : []));
  });
  return new Map(inside.filter(([node]) => !outside.has(node)));
}

function namesOf({ name, function_name: called }: JsonObject): readonly string[] {
  return [called, name].filter(isText).slice(0, 1);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
