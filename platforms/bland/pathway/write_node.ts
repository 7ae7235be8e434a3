import type { Path } from "../../../src/base/errors.ts";
import { isRecord, type JsonObject, omit, pick, recordAt, sameJson } from "../../../src/base/values/mod.ts";
import { type AgentNode, holdsAnyway, type ToolDefinition } from "../../../src/document/graph/mod.ts";
import type { RequestWriter } from "../../facts.ts";
import { carriedRequest, requestSettings } from "../../known/mod.ts";
import { listOf, nodeFacts, SILENT } from "../traits/mod.ts";
import type { Lose } from "./losses.ts";
import { BASE_TYPES, BELOW, REQUEST_KEYS, RETURN, STAY, toolName } from "./read_node.ts";
import { readExtractRows, readParameters, writeArguments, writeNote, writeVariable } from "./rows.ts";

/** How a webhook has the parts of a request. The unit of its time limit is not documented. */
export const REQUEST: RequestWriter = {
  method: (method) => ({ method }),
  timeoutMs: () => undefined,
  headers: (headers) => ({ headers }),
};

/** Bland's own settings of a node, transition, tool or setting. */
export const ownOf = ({ metadata }: { readonly metadata?: unknown }): JsonObject =>
  isRecord(metadata) ? recordAt(metadata, "bland") : {};

/** The records of the importer in such settings. */
export const lensIn = (item: { readonly metadata?: unknown }): JsonObject => recordAt(ownOf(item), "lens");

/** A node's type: the imported one, if it still fits. */
export function typeFor(node: AgentNode): string {
  const { type } = ownOf(node);
  const known = nodeFacts(String(type))?.node_type;
  const fits = known === undefined ? ["conversation", "logic"].includes(node.node_type) : known === node.node_type;
  return typeof type === "string" && fits ? type : BASE_TYPES[node.node_type];
}

/** The name of a node in the document. A node with a tool has the tool's name, unless its own means the same. */
export function nameOf(node: AgentNode): unknown {
  const { name = node.id } = ownOf(node);
  const tool = node.node_type === "function" ? node.tools[0]?.name : undefined;
  return tool === undefined || toolName(name, node.id) === tool ? name : tool;
}

/** Writes the type and data of a node, without its exits. `isPill`: it says nothing and is left at once. */
export function writeData(
  node: AgentNode,
  isPill: boolean,
  lose: Lose,
): { readonly type: string; readonly data: JsonObject } {
  const own = ownOf(node);
  const { node_type, tools } = node;
  const path = ["nodes", node.id];
  const called = node_type === "function" ? tools[0] : undefined;
  const { number, extension } = recordAt(own, "destination");
  const isWebhook = called !== undefined && ["Webhook", "Custom Tool"].includes(typeFor(node));
  loseParts(node, lose);
  const data = {
    ...{ name: nameOf(node), ...omit(own, ["type", "lens", "destination", "name"]) },
    ...writeWords(node, isPill, lose),
    ...(isWebhook ? writeCalled(called, node, lose) : writeVariables(node, lose)),
    ...(node_type === "conversation" && tools.length > 0
      ? { tools: tools.map((tool, index) => writeNodeTool(tool, [...path, "tools", index], lose)) }
      : {}),
    ...(number === undefined ? {} : { transferNumber: number }),
    ...(extension === undefined ? {} : { transferExtension: extension }),
    ...writeGlobal(node, lose),
  };
  return {
    type: isPill ? "Default" : isWebhook && called.tool_id && !called.url ? "Custom Tool" : typeFor(node),
    data,
  };
}

function writeWords(node: AgentNode, isPill: boolean, lose: Lose): JsonObject {
  const { state_prompt: words, instruction_type: kind, node_type } = node;
  if (isPill) return { text: SILENT };
  if (words === "" && node_type === "end") lose("silent-end", ["nodes", node.id]);
  if (words === "" && node_type === "end") return { text: SILENT };
  if (words === "") return node_type === "conversation" && ownOf(node).prompt === undefined ? { prompt: "" } : {};
  if (kind === "static_text") return { text: words };
  const at = node_type === "conversation" ? words.lastIndexOf(STAY) : -1;
  return at < 0 ? { prompt: words } : { prompt: words.slice(0, at), condition: words.slice(at + STAY.length) };
}

function writeVariables(node: AgentNode, lose: Lose): JsonObject {
  const { variables_to_extract: variables, node_type, state_prompt: words } = node;
  const rows = variables.map((variable, index) => {
    const row = writeVariable(variable);
    const [back] = readExtractRows([row]).variables;
    const { name, type, description, choices } = variable;
    const list = choices && choices.length > 0 ? { choices } : {};
    if (!sameJson(omit({ ...back }, ["metadata"]), { name, type, description, ...list }))
      lose("variable-type", ["nodes", node.id, "variables_to_extract", index], `${name}, ${type} ${choices ?? ""}`);
    return row;
  });
  const note = node_type === "extract" && words !== "" ? [writeNote(words)] : [];
  const all = [...rows, ...note, ...listOf(lensIn(node).rows)];
  return all.length > 0 || node_type === "extract" ? { extractVars: all } : {};
}

/** Writes the tool of a node that calls one into the node's data. */
function writeCalled(tool: ToolDefinition, node: AgentNode, lose: Lose): JsonObject {
  const path = ["nodes", node.id, "tools", 0];
  const own = ownOf(tool);
  const isNew = Object.keys(own).length === 0 && Boolean(tool.url);
  const rows = argumentsOf(tool, path, lose);
  loseToolParts(tool, path, lose);
  const isTold = tool.description !== "" && rows.length > 0;
  if (tool.description !== "" && !isTold) lose("tool-part", [...path, "description"], tool.description);
  const all = [...rows, ...(isTold ? [writeNote(tool.description)] : []), ...listOf(lensIn(node).rows)];
  const results = Object.entries(tool.response_variables ?? {}).map(([name, data]) => ({ name, data, context: "" }));
  if (results.some(({ name }) => name === ""))
    lose("tool-part", [...path, "response_variables"], "a variable without a name");
  return {
    ...omit(own, ["lens", ...REQUEST_KEYS]),
    ...(tool.tool_id ? { tool_id: tool.tool_id } : {}),
    ...(tool.url || !tool.tool_id ? { url: tool.url ?? "" } : {}),
    ...(isNew ? { method: "POST", ...(rows.length > 0 ? { body: bodyOf(tool) } : {}) } : {}),
    ...{ ...requestSettings(carriedRequest(tool, "bland", REQUEST)), ...pick(own, REQUEST_KEYS) },
    ...(all.length > 0 ? { extractVars: all } : {}),
    ...(results.length > 0 ? { responseData: results } : {}),
  };
}

/** The arguments of a tool as rows, which are extracted before the request. */
function argumentsOf({ parameters }: ToolDefinition, path: Path, lose: Lose): readonly unknown[] {
  const rows = writeArguments(parameters ?? {});
  const back = rows.length > 0 ? readParameters(readExtractRows(rows).variables) : {};
  const lost = Object.keys(parameters ?? {}).filter((key) => !sameJson(back[key], parameters?.[key]));
  if (lost.length > 0) lose("parameters", [...path, "parameters"], lost.join(", "));
  return rows;
}

/** The body of a request that sends the arguments of its tool. */
function bodyOf({ parameters }: ToolDefinition): string {
  const names = Object.keys(recordAt({ ...parameters }, "properties"));
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, `{{${name}}}`])));
}

function loseToolParts({ type, url, tool_id: id, name }: ToolDefinition, path: Path, lose: Lose): void {
  if (type && type !== "custom") lose("tool-type", [...path, "type"], type);
  if (!url && !id) lose("tool-url", path, name);
}

/** Writes a tool of a node that speaks. */
function writeNodeTool(tool: ToolDefinition, path: Path, lose: Lose): JsonObject {
  const { config, ...own } = omit(ownOf(tool), ["responsePathways", "lens"]);
  const isNew = Object.keys(own).length === 0;
  const rows = argumentsOf(tool, path, lose);
  if (isNew) loseToolParts(tool, path, lose);
  for (const name of Object.keys(tool.response_variables ?? {}))
    lose("tool-part", [...path, "response_variables"], name);
  const settings = {
    ...(isNew && tool.url ? { method: "POST", ...(rows.length > 0 ? { body: bodyOf(tool) } : {}) } : {}),
    ...{ ...requestSettings(carriedRequest(tool, "bland", REQUEST)), ...(isRecord(config) ? config : {}) },
    ...(tool.url ? { url: tool.url } : {}),
  };
  return {
    ...(isNew ? { type: tool.tool_id && !tool.url ? "custom_tool" : "webhook", behavior: "feed_context" } : own),
    ...{ name: tool.name, description: tool.description },
    ...(tool.tool_id ? { toolId: tool.tool_id } : {}),
    ...(Object.keys(settings).length > 0 ? { config: settings } : {}),
    ...(rows.length > 0 ? { extractVars: rows } : {}),
  };
}

function writeGlobal(node: AgentNode, lose: Lose): JsonObject {
  const { global_node_setting: setting } = node;
  if (!setting) return {};
  const [label = "", ...more] = setting.condition.split(BELOW);
  const { go_back_conditions: backs } = setting;
  const isPlain = backs.some(
    ({ condition: { type, value } }) => type === "always" || (type === "llm_prompt" && holdsAnyway(value)),
  );
  const returns = backs.length > 0 && (isPlain || node.transitions.length === 0);
  for (const [index, { id, condition, ...rest }] of backs.entries())
    if (!returns || !sameJson({ id, condition: pick({ ...condition }, ["type", "value"]) }, RETURN))
      lose(
        returns ? "go-back" : "go-back-dropped",
        ["nodes", node.id, "global_node_setting", "go_back_conditions", index],
        JSON.stringify([id, condition, rest]),
      );
  const description = more.length > 0 ? { globalDescription: more.join(BELOW) } : {};
  return { ...ownOf(setting), isGlobal: true, globalLabel: label, ...description, enableGlobalAutoReturn: returns };
}

/** Reports the parts of a node that Bland does not have for its type. */
function loseParts(node: AgentNode, lose: Lose): void {
  const path = ["nodes", node.id];
  const { node_type: type, tools, variables_to_extract: variables } = node;
  const isSilent = type === "logic" || type === "extract";
  const isCalled = type === "function";
  if (isCalled && tools.length === 0) lose("function-without-tool", path);
  if (isCalled && tools.length > 1) lose("function-tools", [...path, "tools"]);
  if (!isCalled && type !== "conversation" && tools.length > 0) lose("node-part", [...path, "tools"], "tools");
  if (isCalled && variables.length > 0 && tools.length > 0)
    lose("node-part", [...path, "variables_to_extract"], "variables");
  if (isSilent && node.instruction_type === "static_text")
    lose("node-part", [...path, "instruction_type"], "static text");
  if (type === "logic" && node.state_prompt !== "") lose("node-part", [...path, "state_prompt"], "a prompt");
}
