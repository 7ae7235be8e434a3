import type { Path } from "../../../src/base/errors.ts";
import { isTextMap, type JsonObject, omit, pick, recordAt } from "../../../src/base/values/mod.ts";
import type { AgentNode, ToolDefinition } from "../../../src/document/graph/mod.ts";
import {
  completeTool,
  type Losses,
  OWNER,
  ownKeys,
  putFields,
  retellName,
  sharedKeys,
  TOOL_FIELDS,
  VARIABLE_FIELDS,
} from "../shared/mod.ts";
import type { LlmLossCode } from "./losses.ts";
import { plainType } from "./parameters.ts";

/**
 * Emits a tool. A tool that was imported from an LLM is not completed.
 *
 * @param at Path of the tool in the graph.
 */
export function emitLlmTool(tool: ToolDefinition, at: Path, losses: Losses<LlmLossCode>, native: boolean): JsonObject {
  const { name, type } = tool;
  const written = omit(putFields(tool, TOOL_FIELDS), tool.description === "" ? ["description"] : []);
  if (native) return written;
  const { tool: complete, isKnown, missing } = completeTool(written);
  if (!isKnown) losses.add("tool-kind", at, `Retell has no tool of the type "${type}"`, 'a tool of the type "custom"');
  for (const [key, value] of Object.entries(missing)) {
    const code = key === "url" ? "tool-url-missing" : "tool-setting-missing";
    losses.add(code, at, `Tool "${name}" has no ${key}`, `${key} ${JSON.stringify(value)}`);
  }
  const isCustom = complete.type === "custom";
  if (!isCustom && tool.url)
    losses.add("tool-setting-dropped", [...at, "url"], `Retell's tools of the type "${complete.type}" have no url`);
  return omit(complete, ["tool_id", ...(isCustom ? [] : ["url"])]);
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
  const instruction = recordAt(own, "instruction");
  if (type === "send_sms" && instruction.type === "template") return { sms_content: instruction };
  if (text === "") return {};
  if (type === "send_sms" && kind === "static_text") return { sms_content: { type: "predefined", text } };
  if (type === "send_sms") return { sms_content: { type: "inferred", prompt: text } };
  if (own.speak_during_execution !== true) return {};
  return { execution_message_description: text, ...(kind ? { execution_message_type: kind } : {}) };
}
