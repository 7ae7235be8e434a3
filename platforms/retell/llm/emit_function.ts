import type { AgentNode, ToolDefinition } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject } from "../../../src/values/mod.ts";
import { ownKeys, sharedKeys } from "../shared/mod.ts";
import { pick } from "./schema.ts";

/** The node types of a flow that run a tool, with the kind of tool that does the same in an LLM. */
const RUNS = [
  ["function", "custom"],
  ["code", "code"],
  ["mcp", "mcp"],
] as const;

/** Keys that a flow's function, code or MCP node has where an LLM's tool has them. */
const nodeKeys = () => [...new Set(RUNS.flatMap(([node, tool]) => sharedKeys(node, tool)))];

/** Node settings that say what an LLM's tools do anyway, or that end up in the tool. */
export const functionSettings = (): readonly string[] => [
  ...nodeKeys(),
  ...["speak_during_execution", "mcp_tool_name", "tool_type", "wait_for_result"],
];

/**
 * A function node's tool with what the node says about how it runs: in a flow that stands on the node, in an LLM on the
 * tool. Tools of other nodes are as they are.
 */
export function nodeTool(node: AgentNode, tool: ToolDefinition, index: number): ToolDefinition {
  if (node.node_type !== "function" || index > 0) return tool;
  const own = ownKeys(node.metadata);
  const said: JsonObject = {
    ...pick(own, [...nodeKeys(), "speak_during_execution"]),
    ...message(node, own),
    ...smsContent(node, tool, own),
  };
  const { response_variables: variables, ...settings } = said;
  if (Object.keys(said).length === 0) return tool;
  return {
    ...tool,
    ...(isTextMap(variables) ? { response_variables: variables } : {}),
    metadata: { ...tool.metadata, retell: { ...ownKeys(tool.metadata), ...settings } },
  };
}

/** What is left for the prompt of the state: nothing where the tool says it, or where it is the text to be sent. */
export function functionPrompt(node: AgentNode): string {
  const sends = node.tools[0]?.type === "send_sms";
  return sends || ownKeys(node.metadata).speak_during_execution === true ? "" : node.state_prompt;
}

function message(node: AgentNode, own: JsonObject): JsonObject {
  if (own.speak_during_execution !== true || node.state_prompt === "" || node.tools[0]?.type === "send_sms") return {};
  const type = node.instruction_type ? { execution_message_type: node.instruction_type } : {};
  return { execution_message_description: node.state_prompt, ...type };
}

function smsContent(node: AgentNode, tool: ToolDefinition, own: JsonObject): JsonObject {
  if (tool.type !== "send_sms") return {};
  if (isRecord(own.instruction) && own.instruction.type === "template") return { sms_content: own.instruction };
  if (node.state_prompt === "") return {};
  if (node.instruction_type === "static_text") return { sms_content: { type: "predefined", text: node.state_prompt } };
  return { sms_content: { type: "inferred", prompt: node.state_prompt } };
}

function isTextMap(value: unknown): value is { readonly [name: string]: string } {
  return isRecord(value) && Object.values(value).every((item) => typeof item === "string");
}
