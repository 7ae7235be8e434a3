import type { ToolDefinition } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject } from "../../../src/values/mod.ts";
import { aliasesOf, withAliases } from "./aliases.ts";
import { dropAt, getAt, isText, type JsonPath, readPath, setAt } from "./json_path.ts";
import { readIndex } from "./order.ts";

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

/** Where a tool stood among those of its assistant. */
export interface ToolPlace {
  readonly list: string;
  readonly index: number;
}

/** What a graph keeps of a Vapi tool beside what it models. */
interface ToolRest {
  readonly tool?: JsonObject;
  /** Where the fields stood that the graph has. */
  readonly from: { readonly [field: string]: JsonPath };
  /** All that was kept, for what the aliases need of it. */
  readonly kept: JsonObject;
}

/** A kind of tool in the graph's words; `undefined` for a definition without one, as in old `functions` lists. */
export function toolType(kind: unknown): string | undefined {
  return READ_TYPES.get(kind) ?? (isText(kind) ? kind : undefined);
}

/** Reads a tool of any kind, in any of the shapes people write: Vapi's, or with the function's keys at its top. */
export function importTool(raw: JsonObject, place: ToolPlace): ToolDefinition {
  const spec: JsonPath = isRecord(raw.function) ? ["function"] : [];
  const from: Record<string, JsonPath> = {};
  let rest = raw;
  const take = (field: string, fits: (value: unknown) => boolean, paths: readonly JsonPath[]): unknown => {
    const path = paths.find((candidate) => fits(getAt(raw, candidate)));
    if (!path) return undefined;
    from[field] = path;
    rest = dropAt(rest, path);
    return getAt(raw, path);
  };
  const bodyFirst: JsonPath[] = raw.type === "apiRequest" ? [["body"]] : [];
  const name = take("name", isText, [[...spec, "name"], ["name"]]);
  const description = take("description", isText, [[...spec, "description"], ["description"]]);
  const parameters = take("parameters", isRecord, [...bodyFirst, [...spec, "parameters"], ["parameters"]]);
  const url = take("url", isText, [["server", "url"], ["url"], ["serverUrl"]]);
  const id = take("tool_id", isText, [["id"]]);
  const aliases = aliasesOf(rest);
  const type = toolType(raw.type);
  return {
    name: isText(name) ? name : nameless(raw),
    description: isText(description) ? description : "",
    ...(isRecord(parameters) ? { parameters } : {}),
    ...(type === undefined ? {} : { type }),
    ...(isText(url) ? { url } : {}),
    ...(isText(id) ? { tool_id: id } : {}),
    ...(aliases ? { response_variables: aliases.variables } : {}),
    metadata: {
      vapi: { ...place, from, tool: aliases?.rest ?? rest, ...aliases?.kept },
    },
  };
}

/** Writes a tool back, or anew in Vapi's own shape when it was added to the graph. */
export function emitTool(tool: ToolDefinition): JsonObject {
  const { tool: kept, from, kept: all } = restOf(tool);
  let raw = kept ?? newTool(tool);
  if (toolType(raw.type) !== (tool.type ?? undefined) && (kept || tool.type)) {
    raw = tool.type ? { ...raw, type: WRITTEN_TYPES.get(tool.type) ?? tool.type } : dropAt(raw, ["type"]);
  }
  const isRequest = raw.type === "apiRequest";
  // of tools without a function's keys, such as endCall, Vapi takes name and description in one all the same
  const isFlat = isRequest || Object.keys(from).length > 0 || raw.name !== undefined;
  const spec: JsonPath = isRecord(raw.function) || isInFunction(from) || !isFlat ? ["function"] : [];
  const put = (field: string, path: JsonPath, value: unknown) => {
    raw = setAt(raw, from[field] ?? path, value);
  };
  if (from.name || tool.name !== nameless(raw)) put("name", [...spec, "name"], tool.name);
  if (tool.description) put("description", [...spec, "description"], tool.description);
  if (tool.parameters) put("parameters", isRequest ? ["body"] : [...spec, "parameters"], tool.parameters);
  if (tool.url) put("url", isRequest ? ["url"] : ["server", "url"], tool.url);
  if (tool.tool_id) put("tool_id", ["id"], tool.tool_id);
  return withAliases(raw, tool.response_variables ?? {}, all);
}

/** A tool without the `function` that held nothing but what the graph has now; it is made again with that. */
export function withoutEmptied(tool: ToolDefinition): ToolDefinition {
  const kept = tool.metadata?.vapi;
  const raw = isRecord(kept) && isInFunction(kept.from) ? kept.tool : undefined;
  if (!isRecord(kept) || !isRecord(raw) || !isRecord(raw.function) || Object.keys(raw.function).length > 0) return tool;
  return { ...tool, metadata: { ...tool.metadata, vapi: { ...kept, tool: dropAt(raw, ["function"]) } } };
}

/** Whether a field that the graph has stood in the tool's `function`. */
function isInFunction(from: unknown): boolean {
  return isRecord(from) && Object.values(from).some((path) => readPath(path)?.[0] === "function");
}

/** What a new tool starts from: one with a URL is called there with its arguments, any other by the assistant's server. */
function newTool({ type, url }: ToolDefinition): JsonObject {
  const isCustom = !type || type === "custom";
  if (isCustom && url) return { type: "apiRequest", method: "POST" };
  return { type: isCustom ? "function" : (WRITTEN_TYPES.get(type) ?? type), function: {} };
}

/** Where a tool of the graph stood in the document, when it came from one. */
export function toolPlace(tool: ToolDefinition): Partial<ToolPlace> {
  const kept = tool.metadata?.vapi;
  if (!isRecord(kept) || typeof kept.list !== "string") return {};
  const index = readIndex(kept.index);
  return { list: kept.list, ...(index === undefined ? {} : { index }) };
}

function restOf(tool: ToolDefinition): ToolRest {
  const kept = tool.metadata?.vapi;
  if (!isRecord(kept) || !isRecord(kept.tool)) return { from: {}, kept: {} };
  const paths = Object.entries(isRecord(kept.from) ? kept.from : {}).flatMap(([field, value]) => {
    const path = readPath(value);
    return path ? [[field, path] as const] : [];
  });
  return { tool: kept.tool, from: Object.fromEntries(paths), kept };
}

/** What a tool without a name goes by: its kind, as `endCall` and `dtmf` tools are usually left. */
function nameless(raw: JsonObject): string {
  return isText(raw.type) ? raw.type : "tool";
}
