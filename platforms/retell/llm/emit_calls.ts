import type { Path } from "../../../src/errors.ts";
import type { AgentNode } from "../../../src/graph/mod.ts";
import { type JsonObject, own } from "../../../src/values/mod.ts";
import { kept, toolDefaults } from "../shared/mod.ts";
import type { LlmTool, Placed } from "./emit_tools.ts";
import { foreignNumber } from "./foreign_number.ts";
import type { Losses } from "./losses.ts";
import { type CallToolType, callTool, isCallToolType, keptFor, pick, restOf } from "./schema.ts";

/** How a node is reached: the description of the tool, and what is noted about it. */
export interface Way {
  readonly description: string;
  readonly metadata: { readonly [owner: string]: unknown } | null | undefined;
}

/** An end or transfer node as the tool that goes there. */
export function emitCall(node: AgentNode, name: string, way: Way, text: (prompt: string) => string): Placed {
  const { at, ...noted } = keptFor(way.metadata);
  const { own: retell } = kept(node.metadata);
  const type = typeOf(node, retell);
  const spec = callTool(type);
  const nodeNotes = keptFor(node.metadata);
  const absent = Array.isArray(nodeNotes.absent) ? nodeNotes.absent : [];
  const carried = pick(retell, spec.keys);
  const missing = spec.required.filter((key) => !Object.hasOwn(carried, key) && !absent.includes(key));
  const said = way.description === "" ? {} : { description: way.description };
  const tool: JsonObject = {
    ...{ type, name, ...said }, // first, for whoever reads the file
    ...restOf(nodeNotes),
    ...restOf(noted),
    ...said,
    ...message(node, text),
    ...carried,
    ...pick(defaultsOf(type, node), missing),
  };
  const place = typeof at === "number" ? { at } : {};
  return { ...place, tool: tool as unknown as LlmTool }; // what was read from Retell may be newer than the SDK's types
}

/** Says what a transfer needs and does not have. */
export function checkDestination(node: AgentNode, path: Path, losses: Losses): void {
  const type = typeOf(node, kept(node.metadata).own);
  const absent = keptFor(node.metadata).absent;
  for (const key of callTool(type).required) {
    if (Object.hasOwn(kept(node.metadata).own, key) || (Array.isArray(absent) && absent.includes(key))) continue;
    if (key === "transfer_option" || key === "post_call_analysis_setting") continue; // Retell's own default stands in
    const instead = JSON.stringify(own(defaultsOf(type, node), key));
    if (key === "transfer_destination" && foreignNumber(node.metadata)) continue;
    losses.add("destination-missing", path, `Transfer "${node.id}" has no ${key}`, instead);
  }
}

function typeOf(node: AgentNode, retell: JsonObject): CallToolType {
  if (node.node_type === "end") return "end_call";
  return retell.type === "agent_swap" && isCallToolType(retell.type) ? "agent_swap" : "transfer_call";
}

function message(node: AgentNode, text: (prompt: string) => string): JsonObject {
  if (node.state_prompt === "") return {};
  return {
    speak_during_execution: true,
    execution_message_description: text(node.state_prompt),
    ...(node.instruction_type ? { execution_message_type: node.instruction_type } : {}),
  };
}

function defaultsOf(type: CallToolType, node: AgentNode): JsonObject {
  const { settings } = toolDefaults(type);
  const number = type === "transfer_call" ? foreignNumber(node.metadata) : undefined;
  return number === undefined ? settings : { ...settings, transfer_destination: { type: "predefined", number } };
}
