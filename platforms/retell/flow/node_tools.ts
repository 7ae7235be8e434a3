import type { Path } from "../../../src/base/errors.ts";
import {
  isRecord,
  isTextMap,
  isTexts,
  type JsonObject,
  omit,
  own,
  sameJson,
  slug,
} from "../../../src/base/values/mod.ts";
import type { AgentNode, ToolDefinition } from "../../../src/document/graph/mod.ts";
import {
  completeTool,
  type Field,
  getFields,
  isString,
  putFields,
  readRetellTool,
  retellTables,
  TOOL_FIELDS,
} from "../shared/mod.ts";
import type { FlowContext } from "./emit_context.ts";

/** A tool in the graph for a node type that does work itself, so that it can be mocked. It is named after the node. */
interface StandIn {
  readonly tool: JsonObject;
  /** Keys of the node with settings of the tool. */
  readonly fields: readonly Field[];
}

const RESULTS: Field = { graph: "response_variables", fits: isTextMap };
const DIGITS = { type: "string", description: "The keys to press" };
const PRESSED = { type: "object", properties: { digits: DIGITS }, required: ["digits"] };

/** These tools by Retell's node type. */
const STAND_INS: { readonly [nodeType: string]: StandIn } = {
  code: { tool: { type: "code" }, fields: [RESULTS] },
  mcp: { tool: { type: "mcp" }, fields: [{ graph: "name", retell: "mcp_tool_name", fits: isString }, RESULTS] },
  sms: { tool: { type: "send_sms" }, fields: [] },
  press_digit: { tool: { name: "press_digit", type: "press_digit", parameters: PRESSED }, fields: [] },
};

/** Whether nodes of a type have tools. */
export const hasTools = (type: string): boolean =>
  type === "function" || type === "subagent" || Object.hasOwn(STAND_INS, type);

/** Reads the tools of a node (its own, and those of the flow that it refers to), and the keys that contain them. */
export function readNodeTools(node: JsonObject, type: string, id: string, flowTools: ReadonlyMap<unknown, JsonObject>) {
  const refer = (toolId: string) =>
    readRetellTool(flowTools.get(toolId) ?? { name: toolId, type: "custom", tool_id: toolId });
  const standIn = own(STAND_INS, type);
  if (standIn) {
    const more = getFields(node, standIn.fields);
    const name = (isString(node.name) && slug(node.name)) || id;
    const keys = standIn.fields.map(({ graph, retell = graph }) => (Object.hasOwn(more, graph) ? retell : ""));
    return { tools: [{ name, description: "", ...standIn.tool, ...more }], keys };
  }
  const { tool_id: toolId } = node;
  if (type === "function" && isString(toolId) && (toolId !== "" || flowTools.has("")))
    return { tools: [refer(toolId)], keys: ["tool_id"] };
  if (type !== "subagent") return { tools: [], keys: [] };
  const ids = isTexts(node.tool_ids) ? node.tool_ids : [];
  const inline: readonly unknown[] = Array.isArray(node.tools) ? node.tools : [];
  const readable = inline.every(isRecord) ? inline : [];
  return {
    tools: [...ids.map(refer), ...readable.map((tool) => readRetellTool(tool, true))],
    keys: [...(ids.length > 0 ? ["tool_ids"] : []), ...(readable.length > 0 ? ["tools"] : [])],
  };
}

/** Writes the tools of a node: the inverse of {@link readNodeTools}. */
export function writeNodeTools(node: AgentNode, type: string, context: FlowContext): JsonObject {
  const [first] = node.tools;
  const standIn = own(STAND_INS, type);
  if (standIn) return first ? putFields(first, standIn.fields, {}) : {};
  if (type === "function") return first ? { tool_id: refer(first, context, ["nodes", node.id, "tools", 0]) } : {};
  if (type !== "subagent") return {};
  const ids: string[] = [];
  const inline: JsonObject[] = [];
  for (const [index, tool] of node.tools.entries()) {
    const path = ["nodes", node.id, "tools", index];
    const isHeld = !context.foreign || retellTables().flow_tools.includes(tool.type ?? "custom");
    if (isString(tool.tool_id) && isHeld) ids.push(refer(tool, context, path));
    else inline.push(written(tool, context, path));
  }
  return { ...(ids.length > 0 ? { tool_ids: ids } : {}), ...(inline.length > 0 ? { tools: inline } : {}) };
}

/** Adds a tool to the flow and returns its id. */
function refer(tool: ToolDefinition, context: FlowContext, path: Path): string {
  const held = written(tool, context, path, retellTables().flow_tools);
  return context.tools.add(tool, held, tool.tool_id ?? `tool-${tool.name}`);
}

/** Writes a tool in Retell's JSON. An imported tool is not completed. */
function written(
  tool: ToolDefinition,
  { foreign, losses }: FlowContext,
  path: Path,
  types?: readonly string[],
): JsonObject {
  const said = putFields(tool, TOOL_FIELDS);
  if (!foreign) return said;
  const { tool: complete } = completeTool(said, types);
  const named = tool.type ?? "custom";
  if (named !== complete.type && named !== "function")
    losses.add("tool-type", path, `Retell has no tool of this type: ${named}`, `a ${complete.type} tool`);
  const message = `The custom tool has no URL: ${tool.name}`;
  if (complete.type === "custom" && !tool.url) losses.add("tool-url", path, message, "an empty URL");
  return { ...complete, ...omit(said, ["type", "parameters"]) };
}

/** Reports parts of such a tool that its node does not support. */
export function loseStandIn(node: AgentNode, type: string, written: JsonObject, { losses }: FlowContext): void {
  if (!Object.hasOwn(STAND_INS, type)) return;
  const back = readNodeTools(written, type, node.id, new Map()).tools;
  const most = type === "press_digit" ? node.tools.length : 1;
  for (const [index, tool] of node.tools.slice(0, most).entries()) {
    const given = omit({ ...tool }, ["metadata"]);
    const near = back.find(({ name }) => name === tool.name) ?? {};
    const lost = Object.keys(given).filter((key) => !sameJson(given[key], near[key]));
    const message = `This type of node does not store all of its tool "${tool.name}": ${lost.join(", ")}`;
    if (!back.some((each) => sameJson(each, given)))
      losses.add("tool-detail", ["nodes", node.id, "tools", index], message, "the node without it");
  }
}
