import type { ToolDefinition } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject, own, sameJson } from "../../../src/values/mod.ts";
import { getAt, type JsonPath, setAt } from "../shared/mod.ts";

/** Names that the dashboard gave to tools that nobody named. */
const UNNAMED = ["untitled_tool", "api_request_tool", ""];

/** Where a tool of Vapi's keeps what the graph holds of it. */
interface Places {
  readonly name?: JsonPath;
  readonly description?: JsonPath;
  readonly parameters?: JsonPath;
  readonly url?: JsonPath;
}

/**
 * A tool in the graph's words; its own JSON stays with it.
 *
 * @param fallback What it is called when it has no name of its own.
 */
export function readTool(raw: JsonObject, fallback: string): ToolDefinition {
  const places = placesOf(raw);
  const name = textAt(raw, places.name) ?? fallback;
  const parameters = places.parameters && getAt(raw, places.parameters);
  const url = textAt(raw, places.url);
  const responses = responsesOf(raw);
  return {
    name,
    description: textAt(raw, places.description) ?? "",
    ...(isRecord(parameters) ? { parameters } : {}),
    ...(typeof raw.type === "string" ? { type: typeOf(raw.type) } : {}),
    ...(url === undefined ? {} : { url }),
    ...(Object.keys(responses).length > 0 ? { response_variables: responses } : {}),
    metadata: { vapi: raw },
  };
}

/** Puts a tool back into its JSON: only what differs from what was read there. */
export function writeTool(tool: ToolDefinition, raw: JsonObject, fallback: string): JsonObject {
  const before = readTool(raw, fallback);
  const places = placesOf(raw);
  let written = raw;
  const put = (at: JsonPath | undefined, was: unknown, is: unknown) => {
    if (at && !sameJson(was ?? undefined, is ?? undefined)) written = setAt(written, at, is ?? null);
  };
  const named = places.name ?? (raw.type === "apiRequest" ? ["name"] : ["function", "name"]);
  put(named, before.name, tool.name);
  const described = places.description ?? (raw.type === "apiRequest" ? ["description"] : ["function", "description"]);
  put(described, before.description, tool.description);
  put(places.parameters ?? ["function", "parameters"], before.parameters, tool.parameters);
  put(places.url ?? ["server", "url"], before.url, tool.url);
  if (!sameJson(before.response_variables ?? {}, tool.response_variables ?? {})) {
    const aliases = Object.entries(tool.response_variables ?? {}).map(([key, path]) => ({ key, value: `{{${path}}}` }));
    written = setAt(written, ["variableExtractionPlan", "aliases"], aliases);
  }
  return written;
}

/** A tool that was added in the graph, as JSON of Vapi's. */
export function newTool(tool: ToolDefinition): JsonObject {
  const raw = tool.metadata?.vapi;
  if (isRecord(raw)) return writeTool(tool, raw, tool.name);
  const type = tool.type === "end_call" ? "endCall" : tool.type === "transfer_call" ? "transferCall" : "function";
  const described = tool.description ? { description: tool.description } : {};
  const parameters = tool.parameters ? { parameters: tool.parameters } : {};
  if (type !== "function") return { type };
  const bare: JsonObject = {
    type,
    function: { name: tool.name, ...described, ...parameters },
    ...(tool.url ? { server: { url: tool.url } } : {}),
  };
  return writeTool({ ...tool, type: "custom" }, bare, tool.name);
}

function placesOf(raw: JsonObject): Places {
  const find = (...paths: JsonPath[]) => paths.find((path) => typeof getAt(raw, path) === "string");
  const named = [["name"], ["function", "name"]].find((path) => {
    const text = getAt(raw, path);
    return typeof text === "string" && !UNNAMED.includes(text);
  });
  const hasProperties = (path: JsonPath) => isRecord(getAt(raw, [...path, "properties"]));
  const filled = (path: JsonPath) => Object.keys(recordAt(raw, [...path, "properties"])).length > 0;
  const schemas: JsonPath[] = [["body"], ["function", "parameters"]];
  return {
    ...keyed("name", named),
    ...keyed("description", find(["function", "description"], ["description"])),
    ...keyed("parameters", schemas.find(filled) ?? schemas.find(hasProperties)),
    ...keyed("url", find(["url"], ["server", "url"])),
  };
}

function keyed(key: keyof Places, path: JsonPath | undefined): Places {
  return path ? { [key]: path } : {};
}

function recordAt(raw: JsonObject, path: JsonPath): JsonObject {
  const found = getAt(raw, path);
  return isRecord(found) ? found : {};
}

function textAt(raw: JsonObject, path: JsonPath | undefined): string | undefined {
  const text = path && getAt(raw, path);
  return typeof text === "string" ? text : undefined;
}

function typeOf(type: string): string {
  if (type === "endCall") return "end_call";
  if (type === "transferCall") return "transfer_call";
  return ["function", "apiRequest", "code"].includes(type) ? "custom" : type;
}

/** Variables that a tool's answer sets: aliases that are a plain path, and the properties of the schema it is read by. */
function responsesOf(raw: JsonObject): { readonly [variable: string]: string } {
  const plan = isRecord(raw.variableExtractionPlan) ? raw.variableExtractionPlan : {};
  const properties = Object.keys(recordAt(plan, ["schema", "properties"])).map((name) => [name, `$.${name}`]);
  const aliases = (Array.isArray(plan.aliases) ? plan.aliases : []).flatMap((alias: unknown) => {
    const [key, value] = isRecord(alias) ? [own(alias, "key"), own(alias, "value")] : [];
    const path = typeof value === "string" ? /^\{\{\s*(\$[\w.[\]"'-]*)\s*\}\}$/.exec(value)?.[1] : undefined;
    return typeof key === "string" && path ? [[key, path]] : [];
  });
  return Object.fromEntries([...properties, ...aliases]);
}
