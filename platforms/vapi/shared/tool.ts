import type { ToolDefinition } from "../../../src/graph/mod.ts";
import {
  defined,
  dropAt,
  getAt,
  isRecord,
  type JsonObject,
  type JsonPath,
  recordAt,
  setAt,
} from "../../../src/values/mod.ts";
import { aliasesOf, withAliases } from "./aliases.ts";
import { isText, takeText, textPlace } from "./texts.ts";

/** Vapi's kinds of tools that the graph has a word for. Every other kind keeps Vapi's own. */
const READ_TYPES: ReadonlyMap<unknown, string> = new Map([
  ["function", "custom"],
  ["apiRequest", "custom"],
  ["endCall", "end_call"],
  ["transferCall", "transfer_call"],
]);

/** The way back, for tools whose kind was edited or that were added to the graph. */
const WRITTEN_TYPES: ReadonlyMap<unknown, string> = new Map([
  ["custom", "function"],
  ["end_call", "endCall"],
  ["transfer_call", "transferCall"],
]);

type Field = "name" | "description" | "parameters" | "url" | "tool_id";

/** A kind of tool in the graph's words; `undefined` for a definition without one, as in old `functions` lists. */
function toolType(kind: unknown): string | undefined {
  return READ_TYPES.get(kind) ?? (isText(kind) ? kind : undefined);
}

/**
 * Reads a tool of any kind, in any of the shapes that people write. Its settings stay with it, as `metadata.vapi.tool`:
 * Vapi's JSON with blanks where the graph has the value.
 *
 * @param list Key of the list that the tool stands in.
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

/** Writes a tool with the settings that it has of Vapi's, or a new one in Vapi's own shape. */
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

/** Whether the document gives the tool its name; `endCall` and `dtmf` tools usually go by their kind. */
export function isNamed(tool: ToolDefinition): boolean {
  const raw = settingsOf(tool);
  return raw !== undefined && textPlace(raw, placesOf(raw).name) !== undefined;
}

/** Key of the list that a tool of the graph stands in, when it came from Vapi. */
export function listOf(tool: ToolDefinition): unknown {
  return recordAt(tool.metadata ?? {}, "vapi").list;
}

/** What a tool of the graph has of Vapi's JSON. */
export function settingsOf(tool: ToolDefinition): JsonObject | undefined {
  const { tool: settings } = recordAt(tool.metadata ?? {}, "vapi");
  return isRecord(settings) ? settings : undefined;
}

/**
 * Where a tool may have each of its fields; the first place that holds one counts, the first of all is for a new one. Old
 * definitions have a function's keys at their top, as API requests have their own. Of tools without a function's keys,
 * such as `endCall`, Vapi takes name and description in one all the same.
 */
function placesOf(raw: JsonObject): Record<Field, readonly JsonPath[]> {
  const isRequest = raw.type === "apiRequest";
  const isFlat = isRequest || ["name", "description", "parameters"].some((key) => Object.hasOwn(raw, key));
  const keyed = (key: string): readonly JsonPath[] =>
    isRecord(raw.function) || !isFlat ? [["function", key], [key]] : [[key]];
  return {
    name: keyed("name"),
    description: keyed("description"),
    parameters: [...(isRequest ? [["body"]] : []), ...keyed("parameters")],
    url: isRequest ? [["url"], ["server", "url"], ["serverUrl"]] : [["server", "url"], ["url"], ["serverUrl"]],
    tool_id: [["id"]],
  };
}

/** What a new tool starts from: one with a URL is called there with its arguments, any other by the assistant's server. */
function newTool({ type, url }: ToolDefinition): JsonObject {
  const isCustom = !type || type === "custom";
  if (isCustom && url) return { type: "apiRequest", method: "POST" };
  return { type: isCustom ? "function" : (WRITTEN_TYPES.get(type) ?? type), function: {} };
}

/** What a tool without a name goes by: its kind. */
function nameless(raw: JsonObject): string {
  return isText(raw.type) ? raw.type : "tool";
}
