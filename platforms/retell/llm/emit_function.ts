import type { AgentNode, ToolDefinition } from "../../../src/graph/mod.ts";
import { type JsonObject, recordAt } from "../../../src/values/mod.ts";
import { isTextMap, OWNER, ownKeys, sharedKeys } from "../shared/mod.ts";
import { pick } from "./schema.ts";

/** The node types of a flow that run a tool, with the type of tool that does the same in an LLM. */
const RUNS = [
  ["function", "custom"],
  ["code", "code"],
  ["mcp", "mcp"],
] as const;

/** Settings of such a node in a flow that are settings of the tool in an LLM. */
const nodeKeys = () => [...new Set(RUNS.flatMap(([node, tool]) => sharedKeys(node, tool))), "speak_during_execution"];

/** Settings of a function node that an LLM has in the tool, or does not need. */
export const functionSettings = (): readonly string[] => [
  ...nodeKeys(),
  ...["mcp_tool_name", "tool_type", "wait_for_result"],
];

/** The tool of a function node with the node's settings for running it. Tools of other nodes are returned as they are. */
export function nodeTool(node: AgentNode, tool: ToolDefinition, index: number): ToolDefinition {
  if (node.node_type !== "function" || index > 0) return tool;
  const said = { ...pick(ownKeys(node), nodeKeys()), ...message(node, tool) };
  const { response_variables: variables, ...settings }: JsonObject = said;
  if (Object.keys(said).length === 0) return tool;
  return {
    ...tool,
    ...(isTextMap(variables) ? { response_variables: variables } : {}),
    metadata: { ...tool.metadata, [OWNER]: { ...ownKeys(tool), ...settings } },
  };
}

/** The part of the node's prompt that its tool does not say. */
export function functionPrompt(node: AgentNode): string {
  const isSaid = node.tools[0]?.type === "send_sms" || ownKeys(node).speak_during_execution === true;
  return isSaid ? "" : node.state_prompt;
}

/** The node's prompt as the tool has it: the text of an SMS, or what is said while the tool runs. */
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
