import type { GlobalNodeSetting, NodeType, ToolDefinition, VariableExtraction } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject } from "../../../src/values/mod.ts";
import { getAt, isText, type JsonPath } from "../shared/mod.ts";
import { kindOf } from "./keys.ts";
import { readTool } from "./tool.ts";
import { readVariables } from "./variables.ts";

/** What a workflow's node says, in the graph's words, and where it says it. */
export interface NodeView {
  readonly node_type: NodeType;
  readonly state_prompt: string;
  readonly prompt_at: JsonPath;
  readonly is_static: boolean;
  readonly tools: readonly ToolDefinition[];
  readonly variables: readonly VariableExtraction[];
  readonly global?: GlobalNodeSetting;
}

const PROMPTS: readonly JsonPath[] = [
  ["prompt"],
  ["systemPrompt"],
  ["instructions"],
  ["literalTemplate"],
  ["data", "prompt"],
];

/** Reads a node of any generation. Never throws: a kind that no workflow had is a conversation. */
export function readNode(raw: JsonObject, name: string): NodeView {
  const kind = kindOf(raw);
  const prompt = PROMPTS.find((at) => typeof getAt(raw, at) === "string") ?? ["prompt"];
  const global = readGlobal(raw);
  const common = {
    state_prompt: textAt(raw, prompt),
    prompt_at: prompt,
    is_static: false,
    tools: readTools(raw),
    variables: readVariables(raw),
    ...(global ? { global } : {}),
  };
  if (kind === "endcall" || kind === "transfercall") {
    const at = wordsAt(raw, kind);
    const node_type = kind === "endcall" ? "end" : "transfer";
    return {
      ...common,
      node_type,
      state_prompt: textAt(raw, at),
      prompt_at: at,
      is_static: isText(textAt(raw, at)),
      variables: [],
    };
  }
  if (kind === "function" || kind === "apirequest") {
    return { ...common, node_type: "function", tools: functionTools(raw, name, kind), variables: [] };
  }
  if (kind === "say" && isText(getAt(raw, ["exact"]))) {
    return {
      ...common,
      node_type: "conversation",
      state_prompt: textAt(raw, ["exact"]),
      prompt_at: ["exact"],
      is_static: true,
    };
  }
  return { ...common, node_type: "conversation" };
}

function textAt(raw: JsonObject, at: JsonPath): string {
  const text = getAt(raw, at);
  return typeof text === "string" ? text : "";
}

/** Where the words stand that are spoken before a call ends or is transferred. */
function wordsAt(raw: JsonObject, kind: string): JsonPath {
  for (const base of [["tool"], []] as const) {
    const messages = getAt(raw, [...base, "messages"]);
    const index = Array.isArray(messages)
      ? messages.findIndex((each) => isRecord(each) && each.type === "request-start")
      : -1;
    if (index >= 0) return [...base, "messages", index, "content"];
  }
  const places: JsonPath[] = [["destination", "message"], ["tool", "destinations", 0, "message"], ["message"]];
  const found = kind === "transfercall" ? places.find((at) => isText(getAt(raw, at))) : undefined;
  if (found) return found;
  return isText(getAt(raw, ["prompt"])) ? ["prompt"] : ["tool", "messages", 0, "content"];
}

/** Tools that the model may call at a node: its own ones, and the organisation's by id. */
function readTools(raw: JsonObject): readonly ToolDefinition[] {
  const lists = [...toolLists(raw)];
  const own = lists.flatMap(({ items }) => items.map((tool, index) => readTool(tool, `tool_${index + 1}`)));
  return [...own, ...toolIds(raw)];
}

/** Where a conversation node has tools of its own. */
export function toolLists(
  raw: JsonObject,
): readonly { readonly at: JsonPath; readonly items: readonly JsonObject[] }[] {
  const places: JsonPath[] = [["tools"], ["model", "tools"]];
  return places.flatMap((at) => {
    const items = getAt(raw, at);
    return Array.isArray(items) && items.every(isRecord) && items.length > 0 ? [{ at, items }] : [];
  });
}

/** The organisation's tools that a node names by id. */
export function toolIds(raw: JsonObject): readonly ToolDefinition[] {
  const ids = Array.isArray(raw.toolIds) ? raw.toolIds.filter(isText) : [];
  return ids.map(toolById);
}

function toolById(id: string): ToolDefinition {
  return { name: id, description: "", tool_id: id, metadata: { vapi: { toolId: id } } };
}

function functionTools(raw: JsonObject, name: string, kind: string): readonly ToolDefinition[] {
  if (kind === "apirequest") return [readTool(apiRequestOf(raw), name)];
  if (isRecord(raw.tool)) return [readTool(raw.tool, name)];
  return isText(raw.toolId) ? [toolById(raw.toolId)] : readTools(raw);
}

/** An API request node of 0.5 is its own tool: what it has in common with a tool of today. */
export function apiRequestOf(raw: JsonObject): JsonObject {
  const shared = Object.entries(raw).filter(([key]) => ["method", "url", "headers", "body"].includes(key));
  const output = isRecord(raw.output) && isRecord(raw.output.properties) ? raw.output : undefined;
  const plan = output ? { variableExtractionPlan: { schema: output } } : {};
  return { type: "apiRequest", ...Object.fromEntries(shared), ...plan };
}

/** A global node is one with a condition to enter it: dashboards also wrote the plan, empty, on ordinary nodes. */
function readGlobal(raw: JsonObject): GlobalNodeSetting | undefined {
  const at = globalAt(raw);
  return at && { condition: textAt(raw, at), go_back_conditions: [] };
}

/** Where the condition of entry of a global node stands; `undefined` for a node that is not global. */
export function globalAt(raw: JsonObject): JsonPath | undefined {
  const plan = raw.globalNodePlan;
  const planned: JsonPath = ["globalNodePlan", "enterCondition"];
  if (isRecord(plan) && plan.enabled !== false && textAt(raw, planned).trim() !== "") return planned;
  if (!isDocumentedGlobal(raw)) return undefined;
  return [["condition"], ["enterCondition"]].find((at) => isText(getAt(raw, at)));
}

/** Whether a node says that it is global, as Vapi's guides had it. */
export function isDocumentedGlobal(raw: JsonObject): boolean {
  return raw.isGlobal === true || raw.type === "global";
}
