import {
  isRecord,
  type JsonObject,
  type KeySpelling,
  madeOnce,
  omit,
  pick,
  recordAt,
  respellKeys,
} from "../../../src/base/values/mod.ts";
import type { OpenedDocument } from "../../lens/mod.ts";
import { unknownShape } from "../../platform.ts";

const TITLE = "ElevenLabs agent";

/**
 * Keys that the importer reads. The vendor's command line writes keys in camelCase, all or some of them, so a file can
 * have both spellings.
 */
const KEYS: readonly string[] = [
  ...["conversation_config", "platform_settings", "agent_id", "version_id", "branch_id", "main_branch_id"],
  ...["access_info", "phone_numbers", "whatsapp_accounts", "procedure_versions", "prevent_subagent_loops"],
  ...["first_message", "dynamic_variables", "dynamic_variable_placeholders", "tool_ids", "built_in_tools"],
  ...["api_schema", "request_body_schema", "query_params_schema", "path_params_schema", "request_headers"],
  ...["response_timeout_secs", "value_path", "dynamic_variable", "system_tool_type", "transfer_destination"],
  ...["phone_number", "sip_uri", "edge_order", "additional_prompt", "additional_tool_ids", "entry_behavior"],
  ...["wait_for_user_response", "tool_id", "variable_name", "value_schema", "forward_condition"],
  ...["backward_condition"],
];

const camelOf = (key: string) => key.replace(/_+([a-z])/g, (_, letter: string) => letter.toUpperCase());

const snakeOf = madeOnce(() => new Map(KEYS.map((key) => [camelOf(key), key])));

/** Keys of an edge in files of 2025. */
const EARLY_EDGE = new Map([
  ["destination", "target"],
  ["condition", "forward_condition"],
]);

const SPELLING: KeySpelling = {
  read: (key, holder, object) => {
    const isEarly = holder === "edge" && !Object.hasOwn(object, "target") && Object.hasOwn(object, "source");
    return (isEarly ? EARLY_EDGE.get(key) : undefined) ?? snakeOf().get(key) ?? key;
  },
  write: (key) => (KEYS.includes(key) ? camelOf(key) : key),
  maps: { nodes: "node", edges: "edge" },
  free: ["dynamic_variable_placeholders", "request_headers", "properties", "schema_overrides"],
};

/** Whether a document has the settings of an agent of ElevenLabs, in either spelling. */
export function isAgentDocument(document: unknown): document is JsonObject {
  return (
    isRecord(document) && ["conversation_config", "conversationConfig"].some((key) => Object.hasOwn(document, key))
  );
}

/** What a document of ElevenLabs is that is no agent: a tool, or only the workflow of an agent. */
export function partOf(document: unknown): string | undefined {
  const { api_schema: api, tool_config: config, nodes } = isRecord(document) ? document : {};
  if (isRecord(api) || (isRecord(config) && isRecord(config.api_schema))) return "a tool of ElevenLabs and no agent";
  const isNode = (node: unknown) => isRecord(node) && WORKFLOW_TYPES.includes(String(node.type));
  return isRecord(nodes) && Object.values(nodes).some(isNode) ? "a workflow without its agent" : undefined;
}

const WORKFLOW_TYPES = ["override_agent", "standalone_agent", "dispatch_tool", "phone_number", "update_state"];

/**
 * Opens an agent in any spelling: keys in camelCase, a graph inside `conversation_config`, a prompt that is a text. What
 * the importer reads has one spelling; `close` writes the file's own again.
 */
export function openAgent(document: unknown): OpenedDocument {
  const { value: read, close } = respellKeys(document, SPELLING);
  if (!isRecord(read) || !isRecord(read.conversation_config)) return { body: read, close };
  const config = read.conversation_config;
  const { workflow } = config;
  const isInside = !isRecord(read.workflow) && isRecord(workflow);
  const agent = recordAt(config, "agent");
  const isText = typeof agent.prompt === "string";
  const inner = isText ? { ...config, agent: { ...agent, prompt: { prompt: agent.prompt } } } : config;
  const body = isInside ? { ...read, conversation_config: omit(inner, ["workflow"]), workflow } : read;
  return {
    body: isInside || !isText ? body : { ...read, conversation_config: inner },
    close: (merged) => close(isRecord(merged) ? asInFile(merged, isInside, isText) : merged),
  };
}

function asInFile(body: JsonObject, isInside: boolean, isText: boolean): JsonObject {
  const config = recordAt(body, "conversation_config");
  const agent = recordAt(config, "agent");
  const { prompt } = agent;
  const isPlain = isText && isRecord(prompt) && Object.keys(prompt).every((key) => key === "prompt");
  const whole = isPlain ? { ...config, agent: { ...agent, prompt: prompt.prompt } } : config;
  if (!isInside) return { ...body, conversation_config: whole };
  return { ...omit(body, ["workflow"]), conversation_config: { ...whole, workflow: body.workflow } };
}

/** An agent's parts that the importer reads. */
export interface AgentBody {
  readonly body: JsonObject;
  readonly config: JsonObject;
  readonly agent: JsonObject;
  readonly prompt: JsonObject;
  readonly workflow: JsonObject;
  readonly nodes: { readonly [id: string]: JsonObject };
  readonly edges: { readonly [id: string]: JsonObject };
}

/**
 * Reads the parts of an agent.
 *
 * @throws {PlatformError} `unknown-shape` with the first part of another type.
 */
export function readAgentBody(document: unknown): AgentBody {
  if (!isAgentDocument(document)) {
    const hint = 'Pass an agent with "conversation_config", as the API returns it';
    const part = partOf(document);
    throw unknownShape(TITLE, part ? `it is ${part}` : 'it has no "conversation_config"', [], hint);
  }
  const opened = openAgent(document).body;
  const body = isRecord(opened) ? opened : {};
  const at = (holder: JsonObject, key: string, path: readonly string[]): JsonObject => {
    const value = Object.hasOwn(holder, key) ? holder[key] : undefined;
    if (value === undefined || value === null) return {};
    if (isRecord(value)) return value;
    const state = `"${[...path, key].join(".")}" is ${Array.isArray(value) ? "a list" : `a ${typeof value}`} and not an object`;
    throw unknownShape(TITLE, state, [...path, key], `Write "${key}" as an object`);
  };
  const config = at(body, "conversation_config", []);
  const agent = at(config, "agent", ["conversation_config"]);
  const prompt = at(agent, "prompt", ["conversation_config", "agent"]);
  const workflow = at(body, "workflow", []);
  const itemsOf = (key: string) => {
    const all = at(workflow, key, ["workflow"]);
    // what is no object is kept in the file, and no call reads it
    return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, JsonObject] => isRecord(entry[1])));
  };
  at(at(agent, "dynamic_variables", ["agent"]), "dynamic_variable_placeholders", ["agent", "dynamic_variables"]);
  const texts = { ...pick(agent, ["first_message"]), ...pick(prompt, ["prompt", "llm"]), ...pick(body, ["name"]) };
  for (const [key, value] of Object.entries(texts))
    if (value !== undefined && value !== null && typeof value !== "string")
      throw unknownShape(TITLE, `"${key}" is a ${typeof value} and not a text`, [key], `Write "${key}" as a text`);
  return { body, config, agent, prompt, workflow, nodes: itemsOf("nodes"), edges: itemsOf("edges") };
}
