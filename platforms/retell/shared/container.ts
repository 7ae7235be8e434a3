import { isRecord, type JsonObject, omit } from "../../../src/values/mod.ts";

/** What stands inside a container: a conversation flow, a shared component, or a single or multi prompt agent. */
export type BodyKind = "flow" | "component" | "llm";

/** A document that was taken out of its container. */
export interface Opened {
  readonly kind: BodyKind;
  readonly body: JsonObject;
  /** The agent's own settings: voice, language and the rest, without the body. Absent: a bare body. */
  readonly agent?: JsonObject;
  /** Where the body is in the document, for messages. */
  readonly path: readonly (string | number)[];
  /** The document as the dashboard would have exported it: the agent with the body inside. */
  readonly whole: JsonObject;
  /** Puts such an export into the container that the document came in. */
  readonly close: (whole: JsonObject) => unknown;
}

/** The key under which the dashboard's exports have a body. */
export const EXPORT_KEYS = { flow: "conversationFlow", component: "conversationFlow", llm: "retellLlmData" } as const;

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
  const opened = openObject(inner);
  if (!opened) return undefined;
  const around = Array.from({ length: lists }, () => 0);
  return {
    ...opened,
    path: [...around, ...opened.path],
    close: (whole) => around.reduce((document: unknown) => [document], opened.close(whole)),
  };
}

function openObject(object: JsonObject): Opened | undefined {
  const found = bodyKey(object);
  if (!found) {
    const kind = bareKind(object);
    if (kind === undefined) return undefined;
    const key = EXPORT_KEYS[kind];
    return { kind, body: object, path: [], whole: { [key]: object }, close: (whole) => whole[key] };
  }
  const { key, kind, body } = found;
  const exported = EXPORT_KEYS[kind];
  const beside = omit(object, [key]);
  const agentKey = AGENT_KEYS.find((name) => isRecord(beside[name]));
  const agent = agentKey === undefined ? undefined : beside[agentKey];
  if (agentKey !== undefined && isRecord(agent)) {
    const close = (whole: JsonObject) => ({
      ...object,
      [agentKey]: omit(whole, [exported]),
      [key]: whole[exported],
    });
    return { kind, body, agent, path: [key], whole: { ...omit(agent, [exported]), [exported]: body }, close };
  }
  return {
    ...{ kind, body, agent: beside, path: [key] },
    whole: renameKey(object, key, exported),
    close: (whole) => ({
      ...(key === exported ? {} : pickKey(object, exported)),
      ...renameKey(whole, exported, key),
    }),
  };
}

/** The same object with a key called otherwise, in its place; a key that is called so already is left out. */
function renameKey(object: JsonObject, from: string, to: string): JsonObject {
  const entries = Object.entries(object).filter(([key]) => key === from || key !== to);
  return Object.fromEntries(entries.map(([key, value]) => [key === from ? to : key, value]));
}

function pickKey(object: JsonObject, key: string): JsonObject {
  return Object.hasOwn(object, key) ? { [key]: object[key] } : {};
}

/** The key of a body that is there but is not an object: the first thing wrong with a document that cannot be opened. */
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
