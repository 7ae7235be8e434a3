import { isRecord, type JsonObject, omit, pick, recordAt, records, slug } from "../../../src/base/values/mod.ts";
import type { NodeType } from "../../../src/document/graph/mod.ts";
import { nodeFacts, SILENT, toolRows, typeOfNode } from "../traits/mod.ts";
import { type ExtractRows, readExtractRows, readParameters } from "./rows.ts";

/** A node of the document, with its id and its place. */
export interface RawNode {
  readonly id: string;
  readonly type: string;
  readonly data: JsonObject;
  readonly raw: JsonObject;
  readonly index: number;
}

/** Bland's types for the graph's node types. Nodes of other types have `metadata.bland.type`. */
export const BASE_TYPES: { readonly [type in NodeType]: string } = {
  ...{ conversation: "Default", extract: "Default", logic: "Route" },
  ...{ function: "Webhook", transfer: "Transfer Call", end: "End Call" },
};

/** Types of tools for nodes that do work themselves, so that it can be mocked. */
const STAND_INS: ReadonlyMap<string, string> = new Map([
  ["SMS", "send_sms"],
  ["Custom Code", "code"],
  ["Scheduling", "scheduling"],
  ["Press Button", "press_digit"],
]);

/** Between a prompt and the condition that keeps the agent at the node. */
export const STAY = "\n\nStay at this step until this holds: ";
/** Between the label of a global node and its description. */
export const BELOW = "\n";
/** Keys of a request, which the tool of a node has. */
export const REQUEST_KEYS = ["method", "headers", "body", "auth", "timeoutValue", "max_retries"];
/** The condition of a return without one. */
export const RETURN = { id: "return", condition: { type: "llm_prompt", value: "Always" } };

export const isText = (text: unknown): text is string => typeof text === "string" && text !== "";

/** Whether a node says nothing and is left at once. */
export const isPill = ({ type, data }: Pick<RawNode, "type" | "data">): boolean =>
  type === "Default" &&
  recordAt(data, "modelOptions").skipUserResponse === true &&
  (data.text === SILENT || (data.text === "" && !isText(data.prompt)));

/** The type of a node in the graph. */
export function nodeTypeOf(node: RawNode): NodeType {
  const { type, data } = node;
  if (isPill(node)) return data.extractVars === undefined ? "logic" : "extract";
  if (forwardOf(data) !== undefined) return "logic";
  return nodeFacts(type)?.node_type ?? (isText(data.prompt) || isText(data.text) ? "conversation" : "logic");
}

/** Id of the node to which a global node leads at once. */
export function forwardOf(data: JsonObject): string | undefined {
  const { isGlobal, forwardingNode: to } = data;
  const isOff = Object.entries(data).some(([key, value]) => /^(?:is|enable).*forwarding/i.test(key) && value === false);
  return isGlobal === true && isText(to) && !isOff ? to : undefined;
}

/** Reads a node with its transitions. `parts`: what to keep of the nodes that are parts of it. */
export function readNode(
  node: RawNode,
  transitions: readonly JsonObject[],
  ids: ReadonlySet<string>,
  parts?: JsonObject,
): JsonObject {
  const { id, type, data, raw } = node;
  const node_type = nodeTypeOf(node);
  const rows = readExtractRows(data.extractVars);
  const isCalled = node_type === "function";
  const hasNote = rows.notes.length === 1 && (node_type === "extract" || (isCalled && rows.variables.length > 0));
  const words = readWords(node, node_type, hasNote ? String(rows.notes[0]?.[2]) : "");
  const called = isCalled ? readCalled(node, rows, hasNote) : undefined;
  const tools = node_type === "conversation" ? records(data.tools).map((tool) => readNodeTool(tool, ids)) : [];
  const isGlobal = data.isGlobal === true;
  const unread = [...(hasNote ? [] : rows.notes), ...rows.others];
  const lens = {
    ...(unread.length > 0 ? { rows: unread } : {}),
    ...(forwardOf(data) === undefined ? {} : { forwards: true }),
    ...(Array.isArray(data.routes) ? { routes: true } : {}),
    ...(isRecord(raw.position) ? { position: raw.position } : {}),
    ...(parts ? { parts } : {}),
  };
  const isLeft = node_type === "conversation" && transitions.every(({ timing }) => timing !== "skip_response");
  const { skipUserResponse: skips, ...options } = recordAt(data, "modelOptions");
  const keepsSkip = isLeft || node_type === "end" || node_type === "transfer" || skips !== true;
  const { transferNumber: number, transferExtension: extension } = data;
  const kept = omit(data, [
    ...["isStart", "extractVars", "type", "forwardingNode", "routes", "fallbackNodeId", "responsePathways"],
    ...(isText(number) ? ["transferNumber", "transferExtension"] : []),
    ...(isGlobal ? ["isGlobal", "globalLabel", "globalDescription", "enableGlobalAutoReturn"] : []),
    ...[...words.keys, ...(called?.keys ?? []), ...(tools.length > 0 ? ["tools"] : [])],
  ]);
  const own = {
    ...kept,
    ...(keepsSkip ? {} : { modelOptions: options }),
    ...(BASE_TYPES[node_type] === type || isPill(node) || type === "" ? {} : { type }),
    ...(isText(number) ? { destination: { number, ...(isText(extension) ? { extension } : {}) } } : {}),
    lens,
  };
  return {
    ...{ id, node_type, ...words.view, tools: called?.tools ?? tools, transitions },
    variables_to_extract: called?.isWhole ? [] : rows.variables,
    ...(isGlobal ? { global_node_setting: readGlobal(data, id) } : {}),
    metadata: { bland: own },
  };
}

function readWords(node: RawNode, type: NodeType, note: string) {
  const { text, prompt, condition } = node.data;
  if (type === "extract" || isPill(node)) return { view: { state_prompt: note }, keys: ["text", "prompt"] };
  if (text === SILENT && type !== "conversation") return { view: { state_prompt: "" }, keys: ["text"] };
  if (isText(text)) return { view: { state_prompt: text, instruction_type: "static_text" }, keys: ["text"] };
  const stays = type === "conversation" && isText(prompt) && isText(condition);
  const words = isText(prompt) ? prompt : "";
  const keys = ["prompt", "text", ...(stays ? ["condition"] : [])];
  return { view: { state_prompt: stays ? `${words}${STAY}${condition}` : words }, keys };
}

function readGlobal(data: JsonObject, id: string): JsonObject {
  const label = [data.globalLabel, data.name, id].find(isText);
  const condition = [label, data.globalDescription].filter(isText).join(BELOW);
  return { condition, go_back_conditions: data.enableGlobalAutoReturn === false ? [] : [RETURN] };
}

/** Reads the tool of a node that calls one. */
function readCalled({ type, data, id }: RawNode, { variables, notes }: ExtractRows, hasNote: boolean) {
  const name = toolName(data.name, id);
  const standIn = STAND_INS.get(type);
  if (standIn) return { tools: [{ name, description: "", type: standIn }], keys: [], isWhole: false };
  const results = records(data.responseData ?? data.response_data);
  const isRead = results.length > 0 && results.every((row) => isText(row.name) && typeof row.data === "string");
  const request = pick(data, REQUEST_KEYS);
  const tool = {
    ...{ name, description: hasNote ? notes[0]?.[2] : "", type: "custom" },
    ...(isText(data.url) ? { url: data.url } : {}),
    ...(isText(data.tool_id) ? { tool_id: data.tool_id } : {}),
    ...(variables.length > 0 ? { parameters: readParameters(variables) } : {}),
    ...(isRead ? { response_variables: Object.fromEntries(results.map((row) => [String(row.name), row.data])) } : {}),
    ...(Object.keys(request).length > 0 ? { metadata: { bland: request } } : {}),
  };
  const keys = ["url", "tool_id", ...REQUEST_KEYS, ...(isRead ? ["responseData", "response_data"] : [])];
  return { tools: [tool], keys, isWhole: true };
}

/** The name of a node as that of a tool. */
export function toolName(name: unknown, id: string): string {
  const names = [name, id].filter(isText).map(slug);
  return names.find((each) => each !== "") ?? id;
}

function readNodeTool(raw: JsonObject, ids: ReadonlySet<string>): JsonObject {
  const { config, toolId, name, description } = raw;
  const type = [raw.type, raw.toolType].find(isText) ?? "webhook";
  const { url } = recordAt(raw, "config");
  const { variables, notes, others } = readExtractRows(raw.extractVars);
  const isPlain = notes.length === 0 && others.length === 0 && variables.length > 0;
  const read = ["name", "description", "toolId", "responsePathways", ...(isPlain ? ["extractVars"] : [])];
  const { others: rows } = toolRows(raw, ids);
  const kept = { ...omit(raw, read), ...(rows.length > 0 ? { responsePathways: rows } : {}) };
  return {
    name: isText(name) ? name : toolName(raw.id, "tool"),
    description: typeof description === "string" ? description : "",
    type: type === "webhook" || type === "custom_tool" ? "custom" : type,
    ...(isText(url) ? { url } : {}),
    ...(isText(toolId) ? { tool_id: toolId } : {}),
    ...(isPlain ? { parameters: readParameters(variables) } : {}),
    metadata: { bland: { ...kept, ...(isRecord(config) ? { config: omit(config, ["url"]) } : {}) } },
  };
}

/** Reads the nodes of a document. Entries without an id are no nodes. */
export function nodesIn(entries: readonly unknown[]): readonly RawNode[] {
  return entries.flatMap((raw, index): readonly RawNode[] => {
    const id = isRecord(raw) ? raw.id : undefined;
    if (!isRecord(raw) || (typeof id !== "string" && typeof id !== "number")) return [];
    return [{ id: String(id), type: typeOfNode(raw), data: recordAt(raw, "data"), raw, index }];
  });
}
