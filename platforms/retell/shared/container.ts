import { isRecord, type JsonObject, omit } from "../../../src/values/mod.ts";

/** What stands inside a container: a conversation flow, a shared component, or a single or multi prompt agent. */
export type BodyKind = "flow" | "component" | "llm";

/** How a body was wrapped. Plain JSON: it is saved with the graph and puts a document back into what it came in. */
export interface Container {
  /** The key under which the body stood: `conversationFlow`, `retellLlmData`, `conversation_flow`, … Absent: bare. */
  readonly key?: string;
  /** The key beside it under which the agent stood. Absent: the object around the body is the agent. */
  readonly agent_key?: string;
  /** What else stood beside the body. */
  readonly rest?: JsonObject;
  /** How many lists of one item stood around it all. */
  readonly lists?: number;
}

/** A document that was taken out of its container. */
export interface Opened {
  readonly kind: BodyKind;
  readonly body: JsonObject;
  /** The agent's own settings: voice, language and the rest, without the body. Absent: a bare body. */
  readonly agent?: JsonObject;
  readonly container: Container;
  /** Where the body is in the document, for messages. */
  readonly path: readonly (string | number)[];
}

/** Keys that hold a body, with the dashboard's own spelling first. */
const BODY_KEYS: readonly (readonly [key: string, kind: "flow" | "llm"])[] = [
  ["conversationFlow", "flow"],
  ["retellLlmData", "llm"],
  ["conversation_flow", "flow"],
  ["retell_llm", "llm"],
  ["retell_llm_data", "llm"],
];

/** Keys beside a body that hold the agent where the object around both is not the agent itself. */
const AGENT_KEYS = ["agent", "agent_config"];

const ENGINES = ["conversation-flow", "retell-llm", "custom-llm"];

const COMPONENT_KEYS = ["conversation_flow_component_id", "linked_conversation_flow_ids"];
const FLOW_KEYS = ["start_node_id", "model_choice", "global_prompt", ...COMPONENT_KEYS];
const LLM_KEYS = ["general_prompt", "general_tools", "states", "llm_id", "starting_state"];

/**
 * Takes a Retell document out of what it came in: the dashboard's export, `{ agent, conversation_flow }`, a list of one,
 * or nothing at all. Told by keys alone.
 *
 * @returns `undefined` for what has no key of a Retell engine. The body's own shape is not looked at.
 */
export function openContainer(document: unknown): Opened | undefined {
  let inner = document;
  let lists = 0;
  while (Array.isArray(inner) && inner.length === 1) [inner, lists] = [inner[0], lists + 1];
  if (!isRecord(inner)) return undefined;
  const path = Array.from({ length: lists }, () => 0);
  const around = lists > 0 ? { lists } : {};

  const found = bodyKey(inner);
  if (!found) {
    const kind = bareKind(inner);
    return kind && { kind, body: inner, container: around, path };
  }
  const { key, kind, body } = found;
  const beside = omit(inner, [key]);
  const agentKey = AGENT_KEYS.find((name) => isRecord(beside[name]));
  const agent = agentKey === undefined ? undefined : beside[agentKey];
  if (agentKey !== undefined && isRecord(agent)) {
    const rest = omit(beside, [agentKey]);
    return { kind, body, agent, container: { key, agent_key: agentKey, rest, ...around }, path: [...path, key] };
  }
  return { kind, body, agent: beside, container: { key, ...around }, path: [...path, key] };
}

/** The key of a body that is there but is no object: the first thing wrong with a document that cannot be opened. */
export function brokenBody(document: unknown): string | undefined {
  if (!isRecord(document)) return undefined;
  return BODY_KEYS.map(([key]) => key).find((key) => Object.hasOwn(document, key) && document[key] !== null);
}

/** What kind of engine an agent names that came without its engine, as the API returns agents. */
export function missingEngine(document: unknown): string | undefined {
  let inner = document;
  while (Array.isArray(inner) && inner.length === 1) inner = inner[0];
  const engine = isRecord(inner) ? inner.response_engine : undefined;
  const type = isRecord(engine) ? engine.type : undefined;
  return typeof type === "string" && ENGINES.includes(type) ? type : undefined;
}

/** Puts a body, and the agent it came with, back into the container: the inverse of {@link openContainer}. */
export function closeContainer(container: Container, body: unknown, agent?: JsonObject): unknown {
  const { key, agent_key: agentKey, rest = {}, lists = 0 } = container;
  let document = body;
  if (key !== undefined) {
    const beside = agentKey === undefined ? { ...rest, ...agent } : { ...rest, [agentKey]: agent ?? {} };
    document = Object.fromEntries([...Object.entries(beside), [key, body]]);
  }
  for (let i = 0; i < lists; i++) document = [document];
  return document;
}

/** Reads a container that was saved with a graph; anything else is no container. */
export function readContainer(value: unknown): Container | undefined {
  if (!isRecord(value)) return undefined;
  const { key, agent_key, rest, lists } = value;
  return {
    ...(typeof key === "string" ? { key } : {}),
    ...(typeof agent_key === "string" ? { agent_key } : {}),
    ...(isRecord(rest) ? { rest } : {}),
    ...(typeof lists === "number" && lists > 0 && lists < 200 ? { lists: Math.floor(lists) } : {}),
  };
}

function bodyKey(document: JsonObject): { key: string; kind: "flow" | "llm"; body: JsonObject } | undefined {
  const present = BODY_KEYS.flatMap(([key, kind]) => {
    const body = Object.hasOwn(document, key) ? document[key] : undefined;
    return isRecord(body) ? [{ key, kind, body }] : [];
  });
  if (present.length < 2) return present[0];
  // an export that carries both says in response_engine which of them is the agent's
  const engine = isRecord(document.response_engine) ? document.response_engine.type : undefined;
  return present.find(({ kind }) => kind === "llm" && engine === "retell-llm") ?? present[0];
}

function bareKind(document: JsonObject): BodyKind | undefined {
  if (Array.isArray(document.nodes) || Object.hasOwn(document, "conversation_flow_id"))
    return COMPONENT_KEYS.some((key) => Object.hasOwn(document, key)) ? "component" : "flow";
  // else an AgentGraph, or nothing of Retell's
  if (Object.hasOwn(document, "nodes"))
    return FLOW_KEYS.some((key) => Object.hasOwn(document, key)) ? "flow" : undefined;
  return LLM_KEYS.some((key) => Object.hasOwn(document, key)) ? "llm" : undefined;
}
