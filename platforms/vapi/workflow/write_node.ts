import type { AgentNode, ToolDefinition, VariableExtraction } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject, omit, sameJson } from "../../../src/values/mod.ts";
import { getAt, type JsonPath, setAt } from "../shared/mod.ts";
import {
  apiRequestOf,
  globalAt,
  isDocumentedGlobal,
  type NodeView,
  readNode,
  toolIds,
  toolLists,
} from "./read_node.ts";
import { newTool, writeTool } from "./tool.ts";
import { writeVariables } from "./variables.ts";

/**
 * Puts a node back into its JSON. What it says as it was read is left as it was written.
 *
 * @param name What the node was called when it was read.
 */
export function writeNode(
  node: AgentNode,
  raw: JsonObject,
  name: string,
  variables: readonly VariableExtraction[],
): JsonObject {
  const view = readNode(raw, name);
  if (view.node_type !== node.node_type) return { ...newNode(node, variables), ...kept(raw) };
  const worded = writeWords(node, view, raw);
  const tooled = sameJson(node.tools, view.tools) ? worded : writeTools(node, view, worded, name);
  const global = writeGlobal(node, view, tooled);
  return view.node_type === "conversation" ? writeVariables(variables, global) : global;
}

/** What stays with a node that has become one of another kind. */
function kept(raw: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(raw).filter(([key]) => ["metadata", "isStart", "name"].includes(key)));
}

function writeWords(node: AgentNode, view: NodeView, raw: JsonObject): JsonObject {
  const isStatic = node.instruction_type === "static_text";
  const ends = view.node_type === "end" || view.node_type === "transfer";
  if (node.state_prompt === view.state_prompt && (ends || isStatic === view.is_static)) return raw;
  if (ends && getAt(raw, view.prompt_at) === undefined && view.prompt_at.includes("messages")) {
    return setAt(raw, ["tool", "messages"], [{ type: "request-start", content: node.state_prompt, blocking: true }]);
  }
  if (ends || isStatic === view.is_static) return setAt(raw, view.prompt_at, node.state_prompt);
  if (isStatic) return { ...omit(raw, ["prompt"]), type: "say", exact: node.state_prompt };
  return { ...omit(raw, ["exact"]), type: "conversation", prompt: node.state_prompt };
}

function writeGlobal(node: AgentNode, view: NodeView, raw: JsonObject): JsonObject {
  const [was, is] = [view.global?.condition ?? "", node.global_node_setting?.condition ?? ""];
  if (was === is) return raw;
  const at = globalAt(raw);
  if (is === "") return switchedOff(raw);
  if (at) return setAt(raw, at, is);
  const { globalNodePlan: plan } = raw;
  if (isDocumentedGlobal(raw) && !isRecord(plan)) {
    return setAt(raw, [typeof raw.condition === "string" ? "condition" : "enterCondition"], is);
  }
  const isOn = isRecord(plan) && plan.enabled !== false;
  return setAt(isOn ? raw : setAt(raw, ["globalNodePlan", "enabled"], true), ["globalNodePlan", "enterCondition"], is);
}

/** A node that is global no more, in whichever words it said so. */
function switchedOff(raw: JsonObject): JsonObject {
  const planned = globalAt(raw)?.[0] === "globalNodePlan" ? setAt(raw, ["globalNodePlan", "enabled"], false) : raw;
  if (!globalAt(planned)) return planned;
  const unmarked = planned.isGlobal === true ? { ...planned, isGlobal: false } : planned;
  return unmarked.type === "global" ? { ...unmarked, type: "conversation" } : unmarked;
}

function writeTools(node: AgentNode, view: NodeView, raw: JsonObject, name: string): JsonObject {
  if (view.node_type === "function") {
    const [tool] = node.tools;
    if (!tool) return omit(raw, ["tool", "toolId"]);
    if (isRecord(raw.tool)) return { ...raw, tool: writeTool(tool, raw.tool, name) };
    if (tool.tool_id) return { ...raw, toolId: tool.tool_id };
    const before = apiRequestOf(raw);
    const after = writeTool(tool, before, name);
    const changed = Object.entries(after).filter(([key, value]) => !sameJson(value, before[key]));
    return { ...raw, ...Object.fromEntries(changed) };
  }
  const byId = node.tools.flatMap(({ tool_id }) => tool_id ?? []);
  const withIds = sameJson(
    byId,
    toolIds(raw).map(({ tool_id }) => tool_id),
  )
    ? raw
    : { ...raw, toolIds: byId };
  return writeToolLists(
    node.tools.filter(({ tool_id }) => !tool_id),
    withIds,
  );
}

/** Tools go back to where they were, in order; further ones into the first list. */
function writeToolLists(tools: readonly ToolDefinition[], raw: JsonObject): JsonObject {
  const lists = toolLists(raw);
  const rest = [...tools];
  let written = raw;
  for (const [number, { at, items }] of lists.entries()) {
    const last = number === lists.length - 1;
    const mine = rest.splice(0, last ? rest.length : items.length);
    const list = mine.map((tool, index) => {
      const before = items.find((item) => sameJson(item, tool.metadata?.vapi)) ?? undefined;
      return before ? writeTool(tool, before, `tool_${index + 1}`) : newTool(tool);
    });
    written = setAt(written, at, list);
  }
  return rest.length === 0 ? written : setAt(written, ["tools"], rest.map(newTool));
}

/** A node that was added in the graph, as one of the newest generation. */
export function newNode(node: AgentNode, variables: readonly VariableExtraction[]): JsonObject {
  const words = node.state_prompt
    ? { messages: [{ type: "request-start", content: node.state_prompt, blocking: true }] }
    : {};
  if (node.node_type === "end") return { name: node.id, type: "tool", tool: { type: "endCall", ...words } };
  if (node.node_type === "transfer") {
    return {
      name: node.id,
      type: "tool",
      tool: { type: "transferCall", destinations: destinationsOf(node), ...words },
    };
  }
  const [first] = node.tools;
  if (node.node_type === "function" && first) {
    return first.tool_id
      ? { name: node.id, type: "tool", toolId: first.tool_id }
      : { name: node.id, type: "tool", tool: newTool(first) };
  }
  const at: JsonPath = ["globalNodePlan"];
  const fresh: JsonObject =
    node.instruction_type === "static_text"
      ? { name: node.id, type: "say", exact: node.state_prompt }
      : { name: node.id, type: "conversation", prompt: node.state_prompt };
  const tools = writeTools(node, readNode(fresh, node.id), fresh, node.id);
  const condition = node.global_node_setting?.condition;
  const global = condition ? setAt(tools, at, { enabled: true, enterCondition: condition }) : tools;
  return variables.length > 0 ? writeVariables(variables, global) : global;
}

function destinationsOf(node: AgentNode): readonly unknown[] {
  const found = [node.metadata.vapi, ...node.tools.map((tool) => tool.metadata?.vapi)].map((place) =>
    getAt(place, ["destinations"]),
  );
  return found.find((list): list is unknown[] => Array.isArray(list)) ?? [];
}
