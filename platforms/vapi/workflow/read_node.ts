import type { Path } from "../../../src/base/errors.ts";
import { getAt, isRecord, type JsonObject, omit, pick, records, setAt } from "../../../src/base/values/mod.ts";
import type { AgentNode, ToolDefinition, VariableExtraction } from "../../../src/document/graph/mod.ts";
import { isText, takeText } from "../shared/mod.ts";
import { kindOf, nodeType } from "./keys.ts";
import { readTool, toolById } from "./tool.ts";
import { readVariables } from "./variables.ts";

/** Fields of a node in the graph. */
interface NodeRead {
  readonly type: AgentNode["node_type"];
  readonly prompt: string;
  readonly isStatic: boolean;
  readonly tools: readonly ToolDefinition[];
  readonly variables: readonly VariableExtraction[];
  readonly global?: NonNullable<AgentNode["global_node_setting"]>;
  /** Keys that the graph does not model, and blanks for its texts and tools. */
  readonly settings: JsonObject;
}

/** Possible places of a conversation node's prompt. */
const PROMPTS: readonly Path[] = [
  ["prompt"],
  ["systemPrompt"],
  ["instructions"],
  ["literalTemplate"],
  ["data", "prompt"],
];
/** Keys of an `apiRequest` node, which is its own tool. */
export const REQUEST_KEYS = ["method", "url", "headers", "body"];

/** Reads a node of any generation. Never throws: an unknown type becomes a conversation. */
export function readNode(raw: JsonObject, id: string): NodeRead {
  const type = nodeType(raw);
  const isFixed = kindOf(raw) === "say" && isText(raw.exact);
  const { text: prompt = "", rest } = takeText(raw, wordPlaces(raw));
  const { tools, settings } = type === "function" ? readCalled(rest, id) : readTools(rest);
  const at = globalAt(raw);
  return {
    type,
    prompt,
    isStatic: isFixed || (type !== "conversation" && type !== "function" && prompt !== ""),
    tools,
    variables: type === "conversation" ? readVariables(raw) : [],
    ...(at ? { global: { condition: String(getAt(raw, at)), go_back_conditions: [] } } : {}),
    settings: raw.isStart === true ? omit(settings, ["isStart"]) : settings,
  };
}

/** Returns the possible places of a node's prompt or message, by precedence. */
export function wordPlaces(raw: JsonObject): readonly Path[] {
  const type = nodeType(raw);
  if (type === "conversation" && kindOf(raw) === "say") return [["exact"], ...PROMPTS];
  if (type !== "end" && type !== "transfer") return PROMPTS;
  const spoken = [["tool"], []].flatMap((base): Path[] => {
    const messages = getAt(raw, [...base, "messages"]);
    const isFirst = (each: unknown) => isRecord(each) && each.type === "request-start";
    const index = Array.isArray(messages) ? messages.findIndex(isFirst) : -1;
    return index < 0 ? [] : [[...base, "messages", index, "content"]];
  });
  const announced: Path[] = [["destination", "message"], ["tool", "destinations", 0, "message"], ["message"]];
  return [...spoken, ...(type === "transfer" ? announced : []), ["prompt"]];
}

/** Returns the place of the tools that a node's model can call, if the node has some of its own. */
export function toolsAt(raw: JsonObject): Path | undefined {
  return [["tools"], ["model", "tools"]].find((at) => Array.isArray(getAt(raw, at)));
}

/** Reads the tools that the model can call at a node: its own, and those of the organisation by id. */
function readTools(raw: JsonObject): { readonly tools: readonly ToolDefinition[]; readonly settings: JsonObject } {
  const at = toolsAt(raw);
  const own = at ? records(getAt(raw, at)).map((tool, index) => readTool(tool, `tool_${index + 1}`)) : [];
  const ids = Array.isArray(raw.toolIds) ? raw.toolIds.filter(isText) : [];
  const emptied = at ? setAt(raw, at, []) : raw;
  const settings = Array.isArray(raw.toolIds) ? { ...emptied, toolIds: [] } : emptied;
  return { tools: [...own, ...ids.map(toolById)], settings };
}

/** Reads the tool that a function node calls. */
function readCalled(raw: JsonObject, id: string): ReturnType<typeof readTools> {
  if (kindOf(raw) === "apirequest") {
    const output = isRecord(raw.output) && isRecord(raw.output.properties) ? raw.output : undefined;
    const request = pick(raw, REQUEST_KEYS);
    const tool = { type: "apiRequest", ...request, ...(output ? { variableExtractionPlan: { schema: output } } : {}) };
    return { tools: [readTool(tool, id)], settings: omit(raw, output ? [...REQUEST_KEYS, "output"] : REQUEST_KEYS) };
  }
  if (isRecord(raw.tool)) return { tools: [readTool(raw.tool, id)], settings: { ...raw, tool: {} } };
  if (isText(raw.toolId)) return { tools: [toolById(raw.toolId)], settings: { ...raw, toolId: "" } };
  return readTools(raw);
}

/**
 * Returns the place of a global node's entry condition; `undefined` for other nodes. Dashboards wrote a plan with an
 * empty condition to ordinary nodes, too.
 */
export function globalAt(raw: JsonObject): Path | undefined {
  const { globalNodePlan: plan } = raw;
  const isPlanned = isRecord(plan) && plan.enabled !== false && String(plan.enterCondition ?? "").trim() !== "";
  if (isPlanned && isText(plan.enterCondition)) return ["globalNodePlan", "enterCondition"];
  if (!isDocumentedGlobal(raw)) return undefined;
  return [["condition"], ["enterCondition"]].find((at) => isText(getAt(raw, at)));
}

/** Whether a node is marked as global in the form of Vapi's guides. */
export function isDocumentedGlobal(raw: JsonObject): boolean {
  return raw.isGlobal === true || raw.type === "global";
}
