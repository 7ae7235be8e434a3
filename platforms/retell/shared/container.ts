import { isRecord, type JsonObject, omit, pick, recordAt } from "../../../src/values/mod.ts";

/** A document that was taken out of its container. */
export interface Opened {
  /** A conversation flow, a shared component, or a single or multi prompt agent. */
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

type BodyKind = keyof typeof EXPORT_KEYS;

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

const COMPONENT_KEYS = ["conversation_flow_component_id", "linked_conversation_flow_ids"];
const FLOW_KEYS = [
  ...["conversation_flow_id", "start_node_id", "starting_node_id", "model_choice", "global_prompt"],
  ...COMPONENT_KEYS,
];
const LLM_KEYS = ["general_prompt", "general_tools", "states", "llm_id", "starting_state"];

/**
 * Finds the body in a Retell document: the dashboard's export, `{ agent, conversation_flow }`, a list of one, or the body
 * alone. Only keys are compared.
 *
 * @returns `undefined` for a document without a key of a Retell engine. The body's own shape is not checked.
 */
export function openContainer(document: unknown): Opened | undefined {
  const { inner, around } = unlisted(document);
  const opened = isRecord(inner) ? openObject(inner) : undefined;
  if (!opened) return undefined;
  const close = (whole: JsonObject) => around.reduce((document: unknown) => [document], opened.close(whole));
  return { ...opened, path: [...around, ...opened.path], close };
}

/** A document without the lists of one around it, and its path in them. */
function unlisted(document: unknown): { readonly inner: unknown; readonly around: readonly number[] } {
  const around: number[] = [];
  let inner = document;
  for (; Array.isArray(inner) && inner.length === 1; inner = inner[0]) around.push(0);
  return { inner, around };
}

function openObject(object: JsonObject): Opened | undefined {
  const found = bodyKey(object);
  const kind = found?.kind ?? bareKind(object);
  if (kind === undefined) return undefined;
  const exported = EXPORT_KEYS[kind];
  if (!found) return { kind, body: object, path: [], whole: { [exported]: object }, close: (whole) => whole[exported] };
  const { key, body } = found;
  const beside = omit(object, [key]);
  const agentKey = AGENT_KEYS.find((name) => isRecord(beside[name]));
  if (agentKey !== undefined) {
    const agent = recordAt(beside, agentKey);
    const close = (whole: JsonObject) => ({ ...object, [agentKey]: omit(whole, [exported]), [key]: whole[exported] });
    return { kind, body, agent, path: [key], whole: { ...omit(agent, [exported]), [exported]: body }, close };
  }
  const other = key === exported ? {} : pick(object, [exported]);
  const close = (whole: JsonObject) => ({ ...other, ...renameKey(whole, exported, key) });
  return { kind, body, agent: beside, path: [key], whole: renameKey(object, key, exported), close };
}

/** Renames a key in its place. An existing key of the new name is left out. */
function renameKey(object: JsonObject, from: string, to: string): JsonObject {
  const entries = Object.entries(object).filter(([key]) => key === from || key !== to);
  return Object.fromEntries(entries.map(([key, value]) => [key === from ? to : key, value]));
}

/** The key of a body that is there but is not an object: the first thing wrong with a document that cannot be opened. */
export function brokenBody(document: unknown): string | undefined {
  if (!isRecord(document)) return undefined;
  return BODY_KEYS.map(([key]) => key).find((key) => Object.hasOwn(document, key) && document[key] !== null);
}

/** What kind of engine an agent names that came without its engine, as the API returns agents. */
export function missingEngine(document: unknown): string | undefined {
  const { inner } = unlisted(document);
  const { type } = isRecord(inner) ? recordAt(inner, "response_engine") : {};
  return ["conversation-flow", "retell-llm", "custom-llm"].find((engine) => engine === type);
}

function bodyKey(document: JsonObject): { key: string; kind: "flow" | "llm"; body: JsonObject } | undefined {
  const present = BODY_KEYS.flatMap(([key, kind]) => {
    const body = Object.hasOwn(document, key) ? document[key] : undefined;
    return isRecord(body) ? [{ key, kind, body }] : [];
  });
  if (present.length < 2) return present[0];
  // an export that carries both says in response_engine which of them is the agent's
  const engine = recordAt(document, "response_engine").type;
  return present.find(({ kind }) => kind === "llm" && engine === "retell-llm") ?? present[0];
}

function bareKind(document: JsonObject): BodyKind | undefined {
  if (Array.isArray(document.nodes) || Object.hasOwn(document, "conversation_flow_id"))
    return COMPONENT_KEYS.some((key) => Object.hasOwn(document, key)) ? "component" : "flow";
  // else an AgentGraph, or nothing of Retell's
  if (Object.hasOwn(document, "nodes")) return hasFlowKey(document) ? "flow" : undefined;
  return LLM_KEYS.some((key) => Object.hasOwn(document, key)) ? "llm" : undefined;
}

/** Whether an object has a key that only flows and components of Retell's have. */
export function hasFlowKey(body: JsonObject): boolean {
  return FLOW_KEYS.some((key) => Object.hasOwn(body, key));
}
