import type { Path } from "../../../src/errors.ts";
import type { AgentNode } from "../../../src/graph/mod.ts";
import type { JsonObject } from "../../../src/values/mod.ts";
import { ownKeys, toolDefaults } from "../shared/mod.ts";
import type { LlmTool } from "./emit_tools.ts";
import { foreignNumber } from "./foreign_number.ts";
import type { Losses } from "./losses.ts";
import { type CallToolType, callTool, isCallToolType, pick } from "./schema.ts";

/** An end or transfer node as the tool that goes there. */
export function emitCall(node: AgentNode, name: string, description: string): LlmTool {
  const own = ownKeys(node.metadata);
  const type = typeOf(node, own);
  const spec = callTool(type);
  const carried = pick(own, spec.keys);
  const missing = spec.required.filter((key) => !Object.hasOwn(carried, key));
  const tool: JsonObject = {
    ...{ type, name }, // first, for whoever reads the file
    ...(description === "" ? {} : { description }),
    ...message(node),
    ...carried,
    ...pick(defaultsOf(type, node), missing),
  };
  return tool as unknown as LlmTool; // what was read from Retell may be newer than the SDK's types
}

/** Says what a transfer needs and does not have. */
export function checkDestination(node: AgentNode, path: Path, losses: Losses): void {
  const own = ownKeys(node.metadata);
  const type = typeOf(node, own);
  for (const key of callTool(type).required) {
    if (Object.hasOwn(own, key)) continue;
    if (key === "transfer_option" || key === "post_call_analysis_setting") continue; // Retell's own default stands in
    const instead = JSON.stringify(defaultsOf(type, node)[key]);
    if (key === "transfer_destination" && foreignNumber(node.metadata)) continue;
    losses.add("destination-missing", path, `Transfer "${node.id}" has no ${key}`, instead);
  }
}

function typeOf(node: AgentNode, retell: JsonObject): CallToolType {
  if (node.node_type === "end") return "end_call";
  return retell.type === "agent_swap" && isCallToolType(retell.type) ? "agent_swap" : "transfer_call";
}

function message(node: AgentNode): JsonObject {
  if (node.state_prompt === "") return {};
  return {
    speak_during_execution: true,
    execution_message_description: node.state_prompt,
    ...(node.instruction_type ? { execution_message_type: node.instruction_type } : {}),
  };
}

function defaultsOf(type: CallToolType, node: AgentNode): JsonObject {
  const { settings } = toolDefaults(type);
  const number = type === "transfer_call" ? foreignNumber(node.metadata) : undefined;
  return number === undefined ? settings : { ...settings, transfer_destination: { type: "predefined", number } };
}
