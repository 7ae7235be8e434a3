import type { Path } from "../../../src/base/errors.ts";
import { defined, dropAt, getAt, isRecord, type JsonObject, omit, setAt } from "../../../src/base/values/mod.ts";
import type { AgentGraph, ToolDefinition } from "../../../src/document/graph/mod.ts";
import { isTransferTool } from "../../known/mod.ts";
import { isToolKind, limits } from "../api/mod.ts";
import { destinationsFor } from "./destinations.ts";
import { aliasesOf, withAliases } from "./document.ts";
import { isText, takeText, textPlace } from "./prompt.ts";

/** Keys of a function, which old definitions have at the top level. */
const FLAT_KEYS = ["name", "description", "parameters"];

/**
 * Prepares an imported graph for the emitter of new documents: sets the whole JSON of tools under `metadata.vapi`,
 * where authors set it.
 */
export function withRawTools(graph: AgentGraph): AgentGraph {
  const kept = graph.source_metadata.vapi;
  if (!isRecord(kept) || (kept.kind !== "squad" && kept.kind !== "assistant")) return graph;
  const nodes = Object.entries(graph.nodes).map(([id, node]) => {
    const tools = node.tools.map((tool) => (settingsOf(tool) ? withRaw(tool) : tool));
    return [id, { ...node, tools }] as const;
  });
  return { ...graph, nodes: Object.fromEntries(nodes) };
}

/**
 * Sets the JSON of a tool, except for kinds that the API no longer has. The function keys at the top level of old
 * definitions are removed, because the API no longer accepts them there.
 */
function withRaw(tool: ToolDefinition): ToolDefinition {
  const raw = emitTool(tool);
  if (!isToolKind(raw.type)) return { ...tool, metadata: omit(tool.metadata ?? {}, ["vapi"]) };
  const isFlat = raw.type === "function" && !isRecord(raw.function);
  return { ...tool, metadata: { ...tool.metadata, vapi: isFlat ? omit(raw, FLAT_KEYS) : raw } };
}

/** Tool types in the graph by Vapi's types. Other types are the same. */
const READ_TYPES: ReadonlyMap<unknown, string> = new Map([
  ["function", "custom"],
  ["apiRequest", "custom"],
  ["endCall", "end_call"],
  ["transferCall", "transfer_call"],
]);

/** Vapi's types for new tools and tools with an edited type. */
const WRITTEN_TYPES: ReadonlyMap<unknown, string> = new Map([
  ["custom", "function"],
  ["end_call", "endCall"],
  ["transfer_call", "transferCall"],
]);

type Field = "name" | "description" | "parameters" | "url" | "tool_id";

/** Returns the tool type in the graph; `undefined` for a tool without one, as in old `functions` lists. */
function toolType(kind: unknown): string | undefined {
  return READ_TYPES.get(kind) ?? (isText(kind) ? kind : undefined);
}

/**
 * Reads a tool of any type and shape. Keeps Vapi's JSON under `metadata.vapi.tool`, with blanks for values of the
 * graph.
 *
 * @param list Key of the list that contains the tool.
 */
export function importTool(raw: JsonObject, list: string): ToolDefinition {
  let rest = raw;
  const take = (field: Field): string | undefined => {
    const taken = takeText(rest, placesOf(raw)[field]);
    rest = taken.rest;
    return taken.text;
  };
  const [name, description, url, id] = [take("name"), take("description"), take("url"), take("tool_id")];
  const schema = placesOf(raw).parameters.find((place) => isRecord(getAt(raw, place)));
  const parameters = schema && getAt(raw, schema);
  if (schema) rest = setAt(rest, schema, {});
  const aliases = aliasesOf(rest);
  return defined({
    name: name ?? nameless(raw),
    description: description ?? "",
    parameters: isRecord(parameters) ? parameters : undefined,
    type: toolType(raw.type),
    url,
    tool_id: id,
    response_variables: aliases?.variables,
    metadata: { vapi: { list, tool: aliases?.rest ?? rest } },
  });
}

/** Writes a tool into its kept JSON, or a new tool in Vapi's current shape. */
export function emitTool(tool: ToolDefinition): JsonObject {
  const kept = settingsOf(tool);
  let raw = kept ?? newTool(tool);
  if (toolType(raw.type) !== (tool.type ?? undefined) && (kept || tool.type)) {
    raw = tool.type ? { ...raw, type: WRITTEN_TYPES.get(tool.type) ?? tool.type } : dropAt(raw, ["type"]);
  }
  const put = (field: Field, value: unknown) => {
    const places = placesOf(raw)[field];
    const blank = field === "parameters" ? places.find((place) => isRecord(getAt(raw, place))) : textPlace(raw, places);
    const [first = []] = places;
    if (value) raw = setAt(raw, blank ?? first, value);
    else if (blank) raw = dropAt(raw, blank);
  };
  put("name", tool.name === nameless(raw) && !isNamed(tool) ? "" : tool.name);
  put("description", tool.description);
  put("parameters", tool.parameters);
  put("url", tool.url);
  put("tool_id", tool.tool_id);
  return withAliases(raw, tool.response_variables ?? {});
}

/** Whether a tool has a name in the document. `endCall` and `dtmf` tools usually have none and are named by type. */
export function isNamed(tool: ToolDefinition): boolean {
  const raw = settingsOf(tool);
  return raw !== undefined && textPlace(raw, placesOf(raw).name) !== undefined;
}

/** Returns the key of the list that a tool was read from. */
export function listOf(tool: ToolDefinition): unknown {
  return getAt(tool.metadata, ["vapi", "list"]);
}

/** Returns the JSON that an imported tool keeps. */
export function settingsOf(tool: ToolDefinition): JsonObject | undefined {
  const settings = getAt(tool.metadata, ["vapi", "tool"]);
  return isRecord(settings) ? settings : undefined;
}

/**
 * Returns the places of each field. The first place with a value counts; new values go to the first place. Old
 * definitions and API requests have function keys at the top level. For all other tools, such as `endCall`, Vapi
 * accepts a `function` with name and description.
 */
function placesOf(raw: JsonObject): Record<Field, readonly Path[]> {
  const isRequest = raw.type === "apiRequest";
  const isFlat = isRequest || ["name", "description", "parameters"].some((key) => Object.hasOwn(raw, key));
  const keyed = (key: string): readonly Path[] =>
    isRecord(raw.function) || !isFlat ? [["function", key], [key]] : [[key]];
  return {
    name: keyed("name"),
    description: keyed("description"),
    parameters: [...(isRequest ? [["body"]] : []), ...keyed("parameters")],
    url: isRequest ? [["url"], ["server", "url"], ["serverUrl"]] : [["server", "url"], ["url"], ["serverUrl"]],
    tool_id: [["id"]],
  };
}

/** Returns the JSON of a new tool: an API request if it has a URL, else a function on the assistant's server. */
function newTool(tool: ToolDefinition): JsonObject {
  const { type, url } = tool;
  const destinations = isTransferTool(tool) ? destinationsFor(tool) : [];
  if (destinations.length > 0) return { type: "transferCall", destinations, function: {} };
  const isCustom = !type || type === "custom";
  if (isCustom && url) return { type: "apiRequest", method: "POST" };
  return { type: isCustom ? "function" : (WRITTEN_TYPES.get(type) ?? type), function: {} };
}

/** Returns the name of an unnamed tool: its type. */
function nameless(raw: JsonObject): string {
  return isText(raw.type) ? raw.type : "tool";
}

/** Returns the longest name of a tool; `undefined` for one that is saved in the organisation, with a name of its own. */
export function toolNameLimit({ url, metadata }: ToolDefinition): number | undefined {
  if (typeof getAt(metadata, ["vapi", "toolId"]) === "string") return undefined;
  const kind = getAt(metadata, ["vapi", "tool", "type"]) ?? getAt(metadata, ["vapi", "type"]);
  return url || kind === "apiRequest" ? limits().requestName : limits().functionName;
}
