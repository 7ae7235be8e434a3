import type { Path } from "../../../src/base/errors.ts";
import { isRecord, isTextMap, isTexts, type JsonObject, omit, own, pick } from "../../../src/base/values/mod.ts";
import type {
  AgentGraph,
  AgentNode,
  NodeType,
  ToolDefinition,
  VariableExtraction,
} from "../../../src/document/graph/mod.ts";
import {
  completeTool,
  isRunElsewhere,
  isString,
  type Losses,
  OWNER,
  ownKeys,
  putFields,
  retellName,
  retellTables,
  SHARED_FIELDS,
  sharedKeys,
  TOOL_FIELDS,
  VARIABLE_FIELDS,
  withMetadata,
} from "../shared/mod.ts";
import type { LlmLossCode } from "./losses.ts";

/** Id of the only node of a single-prompt LLM. */
export const SINGLE_NODE = "main";

/** Returns settings that LLMs and flows share. They are kept when one is emitted as the other. */
export function sharedSettings(): readonly string[] {
  const { flow, llm } = retellTables();
  return llm.keys.filter((key) => flow.keys.includes(key) && !SHARED_FIELDS.some(({ graph }) => graph === key));
}

/** Tools that end or transfer the call, with their node type in the graph. */
export const CALL_TOOLS = { end_call: "end", transfer_call: "transfer", agent_swap: "transfer" } as const;

/** Whether a tool of this type is a node in the graph. */
export function isCallToolType(type: unknown): type is keyof typeof CALL_TOOLS {
  return typeof type === "string" && Object.hasOwn(CALL_TOOLS, type);
}

/** Returns settings that such a tool shares with the flow's node. */
export const callKeys = (type: string): readonly string[] => sharedKeys(type === "end_call" ? "end" : type, type);

/**
 * Emits a tool. A tool that was imported from an LLM is not completed.
 *
 * @param at Path of the tool in the graph.
 */
export function emitLlmTool(
  tool: ToolDefinition,
  at: Path,
  {
    graph,
    losses,
    native,
  }: { readonly graph: AgentGraph; readonly losses: Losses<LlmLossCode>; readonly native: boolean },
): JsonObject[] {
  const { name, type } = tool;
  const written = omit(putFields(tool, TOOL_FIELDS), tool.description === "" ? ["description"] : []);
  if (native) return [written];
  if (isRunElsewhere(tool, Object.values(graph.nodes))) {
    losses.add("tool-built-in", at, `Retell has no tool of the type "${type}"`);
    return [];
  }
  const { tool: complete, isKnown, missing } = completeTool(written);
  if (!isKnown) losses.add("tool-kind", at, `Retell has no tool of the type "${type}"`, 'a tool of the type "custom"');
  for (const [key, value] of Object.entries(missing)) {
    const code = key === "url" ? "tool-url-missing" : "tool-setting-missing";
    losses.add(code, at, `Tool "${name}" has no ${key}`, `${key} ${JSON.stringify(value)}`);
  }
  const isCustom = complete.type === "custom";
  if (!isCustom && tool.url)
    losses.add("tool-setting-dropped", [...at, "url"], `Retell's tools of the type "${complete.type}" have no url`);
  return [omit(complete, ["tool_id", ...(isCustom ? [] : ["url"])])];
}

/** Emits the tool that extracts the variables of a node. */
export function extractTool({ id, state_prompt: prompt, variables_to_extract: variables }: AgentNode) {
  return {
    type: "extract_dynamic_variable",
    name: retellName(`extract_${id}`),
    description: prompt || "Record what the caller has said",
    variables: variables.map((variable) => {
      const { choices, type } = variable;
      const hasChoices = choices && choices.length > 0;
      const read = hasChoices ? { type: "enum" } : { type: plainType(type), choices: null };
      return putFields({ ...variable, ...read }, VARIABLE_FIELDS);
    }),
  };
}

/** Returns settings of a flow's function node that are settings of the tool in an LLM. */
const nodeKeys = (): readonly string[] => [
  ...sharedKeys("function", "custom"),
  ...sharedKeys("code", "code"),
  ...sharedKeys("mcp", "mcp"),
  "speak_during_execution",
];

/** Returns settings of a function node that an LLM has in the tool, or does not need. */
export const functionSettings = (): readonly string[] => [
  ...nodeKeys(),
  ...["mcp_tool_name", "tool_type", "wait_for_result"],
];

/** Adds the settings of a function node to its tool. Tools of other nodes are returned unchanged. */
export function nodeTool(node: AgentNode, tool: ToolDefinition, index: number): ToolDefinition {
  if (node.node_type !== "function" || index > 0) return tool;
  const said: JsonObject = { ...pick(ownKeys(node), nodeKeys()), ...message(node, tool) };
  const { response_variables: variables, ...settings } = said;
  return {
    ...tool,
    ...(isTextMap(variables) ? { response_variables: variables } : {}),
    metadata: { ...tool.metadata, [OWNER]: { ...ownKeys(tool), ...settings } },
  };
}

/** Returns the part of a node's prompt that its tool does not contain. */
export function functionPrompt(node: AgentNode): string {
  const isSaid = node.tools[0]?.type === "send_sms" || ownKeys(node).speak_during_execution === true;
  return isSaid ? "" : node.state_prompt;
}

/** Returns the node's prompt as settings of its tool: the text of an SMS, or the message while the tool runs. */
function message(node: AgentNode, { type }: ToolDefinition): JsonObject {
  const { state_prompt: text, instruction_type: kind } = node;
  const own = ownKeys(node);
  const { instruction } = own;
  if (type === "send_sms" && isRecord(instruction) && instruction.type === "template")
    return { sms_content: instruction };
  if (text === "") return {};
  if (type === "send_sms" && kind === "static_text") return { sms_content: { type: "predefined", text } };
  if (type === "send_sms") return { sms_content: { type: "inferred", prompt: text } };
  if (own.speak_during_execution !== true) return {};
  return { execution_message_description: text, ...(kind ? { execution_message_type: kind } : {}) };
}

const TYPES: readonly unknown[] = ["string", "number", "integer", "boolean"];

/**
 * Creates the extract node for the parameters of an edge. The model sets them with the transition, and they become
 * dynamic variables. `undefined` for a schema with other than plain values, which is kept with the edge.
 */
export function importParameters(
  schema: unknown,
  newId: () => string,
  target: string,
): (JsonObject & { readonly id: string }) | undefined {
  if (!isRecord(schema) || schema.type !== "object" || !isRecord(schema.properties)) return undefined;
  const properties = Object.entries(schema.properties);
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const variables = properties.flatMap(([name, property]) =>
    isRecord(property) && TYPES.includes(property.type) ? importVariable(name, property, required.includes(name)) : [],
  );
  if (variables.length === 0 || variables.length < properties.length) return undefined;
  return {
    id: newId(),
    node_type: "extract",
    transitions: [{ target_node_id: target, condition: { type: "always", value: "" } }],
    variables_to_extract: variables,
  };
}

/** Keeps keys of a property that the graph does not model, and `required`, in the variable's metadata. */
function importVariable(name: string, property: JsonObject, required: boolean): JsonObject {
  const { type, enum: choices } = property;
  const description = isString(property.description) ? property.description : "";
  const hasChoices = type === "string" && isTexts(choices) && choices.length > 0;
  const known = ["description", ...(hasChoices ? ["enum"] : []), ...(type === "integer" ? [] : ["type"])];
  const kept = { ...omit(property, known), ...(required ? { required } : {}) };
  const kind = hasChoices ? { type: "enum", choices } : { type: type === "integer" ? "number" : type };
  return withMetadata({ name, description, ...kind }, kept);
}

/** Node types that become states. An extract node may become parameters of an edge instead. */
const STATES: readonly NodeType[] = ["conversation", "logic", "function"];

/** Returns the extract nodes between two states that become parameters of the edges to them. */
export function parameterNodes(graph: AgentGraph): ReadonlySet<string> {
  const all = Object.values(graph.nodes);
  const ways = all.flatMap(({ node_type: type, transitions }) =>
    transitions.map(({ target_node_id: target, condition }) => ({
      target,
      isEdge: type === "conversation" && condition.type === "llm_prompt",
    })),
  );
  const found = all.filter((node) => {
    if (node.node_type !== "extract") return false;
    const { id, variables_to_extract: variables } = node;
    const toNode = ways.filter(({ target }) => target === id);
    const [only, ...others] = node.transitions;
    const next = own(graph.nodes, only?.target_node_id ?? "");
    const isBetween = toNode.length > 0 && toNode.every(({ isEdge }) => isEdge);
    const isEntry = id === graph.entry_node_id || node.global_node_setting;
    const leadsOn = others.length === 0 && only?.condition.type === "always" && next && STATES.includes(next.node_type);
    const onlyExtracts = node.state_prompt === "" && node.tools.length === 0;
    const names = new Set(variables.map(({ name }) => name));
    return isBetween && !isEntry && leadsOn && onlyExtracts && names.size > 0 && names.size === variables.length;
  });
  return new Set(found.map(({ id }) => id));
}

/** Emits the parameters of an edge: the inverse of {@link importParameters}. */
export function extractionParameters({ variables_to_extract: variables }: AgentNode): JsonObject {
  const required = variables.filter((variable) => ownKeys(variable).required === true).map(({ name }) => name);
  return {
    type: "object",
    properties: Object.fromEntries(variables.map((variable) => [variable.name, emitVariable(variable)])),
    ...(required.length > 0 ? { required } : {}),
  };
}

/** Returns the type of a variable without choices. */
function plainType(type: string): string {
  return type === "number" || type === "boolean" ? type : "string";
}

function emitVariable(variable: VariableExtraction): JsonObject {
  const { type, description, choices } = variable;
  const kept = ownKeys(variable);
  return {
    ...omit(kept, ["type", "required"]),
    type: type === "number" && kept.type === "integer" ? "integer" : plainType(type),
    ...(description === "" ? {} : { description }),
    ...(choices && choices.length > 0 ? { enum: [...choices] } : {}),
  };
}
