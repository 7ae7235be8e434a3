import type { Path } from "../../../src/base/errors.ts";
import { isRecord, type JsonObject, omit, pick, quotedList, recordAt, slug } from "../../../src/base/values/mod.ts";
import type { AgentGraph, Finding } from "../../../src/document/graph/mod.ts";
import type { DocumentShape } from "../../lens/mod.ts";
import type { Report } from "../../platform.ts";
import { isSet, isString, OWNER, retellTables } from "./fields.ts";

/** Keys of the agent beside a body, in an object that is not the agent itself. */
const AGENT_KEYS = ["agent", "agent_config"];

/** Keys of bodies in the dashboard's exports. */
export const EXPORT_KEYS = { flow: "conversationFlow", component: "conversationFlow", llm: "retellLlmData" } as const;

const LLM_KEYS = ["general_prompt", "general_tools", "states", "llm_id", "starting_state"];

const COMPONENT_KEYS = ["conversation_flow_component_id", "linked_conversation_flow_ids"];

const FLOW_KEYS = [
  ...["conversation_flow_id", "start_node_id", "starting_node_id", "model_choice", "global_prompt"],
  ...COMPONENT_KEYS,
];

/** All keys of bodies. The dashboard's spellings come first. */
const BODY_KEYS: readonly (readonly [key: string, kind: "flow" | "llm"])[] = [
  ["conversationFlow", "flow"],
  ["retellLlmData", "llm"],
  ["conversation_flow", "flow"],
  ["retell_llm", "llm"],
  ["retell_llm_data", "llm"],
];

/** Structure of Retell's documents in any container. */
export const documentShape: DocumentShape = {
  keys: ["id", "tool_id", "conversation_flow_component_id", "name"],
  references: { destination_node_id: "id", destination_state_name: "name" },
  derived: ["id", "display_position", "version"],
  defaults: ["name", "start_node_id", "starting_state"],
  // an equation's variable can have braces
  respell: (original, base, mine) => {
    const [, open, name, close] = /^(\{\{\s*)(.*?)(\s*\}\})$/.exec(original) ?? [];
    return name === base ? `${open}${mine}${close}` : mine;
  },
  open: (document) => {
    const opened = openContainer(document);
    if (!opened) return { body: document, close: (body) => body };
    return { body: opened.whole, close: (body) => (isRecord(body) ? opened.close(body) : body) };
  },
};

export const NAME_HINT = "Use at most 64 letters, digits, underscores and dashes";

/** Checks a tool of a flow or an LLM, except for its destination. */
export function checkTool(tool: JsonObject, path: Path, report: Report): void {
  const { name, type, timeout_ms: timeout } = tool;
  if (!isRetellName(name))
    report("tool-name", [...path, "name"], `Retell does not accept the tool name "${String(name)}"`, NAME_HINT);
  if (type === "custom" && !isSet(tool.url))
    report("tool-url", [...path, "url"], "A custom tool needs a URL", 'Set "url"');
  if (type === "custom" && typeof timeout === "number" && (timeout < 1000 || timeout > 600_000))
    report("tool-timeout", [...path, "timeout_ms"], "A timeout is 1,000 to 600,000 ms", "Change the timeout");
}

/** Warns about models that Retell's types do not list; its API may accept more. */
export function checkModels(settings: JsonObject, path: Path, report: Report): void {
  for (const [key, known] of Object.entries(retellTables().models)) {
    const { [key]: name } = settings;
    const message = `Retell does not list the model "${String(name)}"`;
    if (isString(name) && !known.includes(name))
      report("unknown-model", [...path, key], message, `Use one of ${known.join(", ")}`, "warning");
  }
}

/**
 * Returns the missing key of a transfer's destination, which needs a number, or a prompt that finds one.
 *
 * @returns `undefined` if the destination is complete.
 */
export function missingDestination({ transfer_destination: destination }: JsonObject): "number" | "prompt" | undefined {
  const key = isRecord(destination) && destination.type === "inferred" ? "prompt" : "number";
  return isRecord(destination) && isSet(destination[key]) ? undefined : key;
}

/** Longest name that Retell accepts for states and tools. */
export const NAME_LIMIT = 64;

const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** Whether Retell accepts a name for a tool or a state. */
export function isRetellName(name: unknown): name is string {
  return typeof name === "string" && NAME.test(name);
}

/** Converts a name to one that Retell accepts for states and tools: at most 64 letters, digits, `_` and `-`. */
export function retellName(name: string, fallback = "state"): string {
  return isRetellName(name) ? name : slug(name).slice(0, NAME_LIMIT) || fallback;
}

/** The dashboard's default names of agents. */
export const UNNAMED = { flow: "Conversation Flow Agent", single: "Single-Prompt Agent", multi: "Multi-State Agent" };

/** Returns the agent's name as source metadata; empty for a default name of the dashboard. */
export function readName(agent: JsonObject | undefined): { readonly name?: string } {
  const name = agent?.agent_name;
  return typeof name === "string" && !Object.values(UNNAMED).includes(name) ? { name } : {};
}

/**
 * Creates the agent around a flow or an LLM, as in the dashboard's exports. The dashboard assigns the ids.
 *
 * @param engine The agent's engine. An imported engine of another type is not kept.
 * @param unnamed Default name.
 */
export function dashboardAgent(
  graph: AgentGraph,
  engine: JsonObject & { readonly type: string; readonly version: unknown },
  unnamed: string,
): JsonObject {
  const { source_metadata: source, source_type: origin } = graph;
  const own = recordAt(recordAt(source, OWNER), "agent");
  const isSameEngine = recordAt(own, "response_engine").type === engine.type;
  return {
    agent_id: "",
    channel: "voice",
    agent_name: source.name || unnamed,
    response_engine: engine,
    language: "en-US",
    voice_id: "retell-Cimo",
    version: engine.version,
    is_published: false,
    ...(isSameEngine ? own : omit(own, ["response_engine"])),
    // an imported agent may be renamed; in code, the name in the retell option takes precedence
    ...(source.name && origin !== "custom" ? { agent_name: source.name } : {}),
  };
}

/** A document and its container. */
export interface OpenedContainer {
  /** A conversation flow, a shared component, or a single or multi prompt agent. */
  readonly kind: BodyKind;
  readonly body: JsonObject;
  /** The agent's settings, such as voice and language, without the body. Absent for a bare body. */
  readonly agent?: JsonObject;
  /** Path of the body in the document. */
  readonly path: readonly (string | number)[];
  /** The document as a dashboard export: the agent with the body inside. */
  readonly whole: JsonObject;
  /** Converts an export back to the original container. */
  readonly close: (whole: JsonObject) => unknown;
}

type BodyKind = keyof typeof EXPORT_KEYS;

/**
 * Finds the body in a Retell document by its keys: in the dashboard's export, in `{ agent, conversation_flow }`, in a
 * list of one, or the body alone.
 *
 * @returns `undefined` for a document without a key of a Retell engine. The shape of the body is not checked.
 */
export function openContainer(document: unknown): OpenedContainer | undefined {
  const { inner, around } = unlisted(document);
  const opened = isRecord(inner) ? openObject(inner) : undefined;
  if (!opened) return undefined;
  const close = (whole: JsonObject) => around.reduce((document: unknown) => [document], opened.close(whole));
  return { ...opened, path: [...around, ...opened.path], close };
}

/** Finds agents of a document beside the one that is imported; they stay in the document, but no call runs them. */
export function otherBodies(document: unknown, { path }: OpenedContainer): readonly Finding[] {
  const { inner } = unlisted(document);
  const [key = ""] = path.filter((part) => typeof part === "string");
  if (!isRecord(inner) || key === "") return [];
  const bodies = BODY_KEYS.map(([each]) => each).filter((each) => isRecord(inner[each]));
  const others = [...bodies, ...LLM_KEYS.slice(0, 3), "nodes"].filter(
    (each) => each !== key && Object.hasOwn(inner, each) && inner[each] !== null,
  );
  if (others.length === 0) return [];
  const message = `the document has several agents: "${key}" is imported, and ${quotedList(others)} beside it ${others.length === 1 ? "is" : "are"} not`;
  const hint = `Remove ${quotedList(others)}, or import it from a file of its own`;
  return [{ code: "several-agents", severity: "warning", path: [others[0] ?? key], message, hint }];
}

/** Removes lists with one item around a document. */
function unlisted(document: unknown): { readonly inner: unknown; readonly around: readonly number[] } {
  const around: number[] = [];
  let inner = document;
  for (; Array.isArray(inner) && inner.length === 1; inner = inner[0]) around.push(0);
  return { inner, around };
}

function openObject(object: JsonObject): OpenedContainer | undefined {
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

/** Renames a key and keeps its position. An existing key with the new name is removed. */
function renameKey(object: JsonObject, from: string, to: string): JsonObject {
  const entries = Object.entries(object).filter(([key]) => key === from || key !== to);
  return Object.fromEntries(entries.map(([key, value]) => [key === from ? to : key, value]));
}

/** Returns the key of a body that is not an object, for the error message. */
export function brokenBody(document: unknown): string | undefined {
  if (!isRecord(document)) return undefined;
  return BODY_KEYS.map(([key]) => key).find((key) => Object.hasOwn(document, key) && document[key] !== null);
}

/** Returns the engine type of an agent without its engine, as the API returns agents. */
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
  // if an export contains both, response_engine names the agent's engine
  const engine = recordAt(document, "response_engine").type;
  return present.find(({ kind }) => kind === "llm" && engine === "retell-llm") ?? present[0];
}

function bareKind(document: JsonObject): BodyKind | undefined {
  if (Array.isArray(document.nodes) || Object.hasOwn(document, "conversation_flow_id"))
    return COMPONENT_KEYS.some((key) => Object.hasOwn(document, key)) ? "component" : "flow";
  // otherwise an AgentGraph, or not a document of Retell
  if (Object.hasOwn(document, "nodes")) return hasFlowKey(document) ? "flow" : undefined;
  return LLM_KEYS.some((key) => Object.hasOwn(document, key)) ? "llm" : undefined;
}

/** Whether an object has a key that only Retell's flows and components have. */
export function hasFlowKey(body: JsonObject): boolean {
  return FLOW_KEYS.some((key) => Object.hasOwn(body, key));
}
