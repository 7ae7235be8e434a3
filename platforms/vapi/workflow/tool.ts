import type { ToolDefinition } from "../../../src/graph/mod.ts";
import {
  getAt,
  isRecord,
  type JsonObject,
  type JsonPath,
  own,
  recordAt,
  sameJson,
  setAt,
} from "../../../src/values/mod.ts";
import { aliasesOf, isText, toolType, vapiType, withAliases } from "../shared/mod.ts";

/** Names that the dashboard gave to tools that nobody named. */
const UNNAMED = ["untitled_tool", "api_request_tool", ""];

/**
 * A tool in the graph's words. Vapi's JSON stays with it, where an author would give it: `metadata.vapi`.
 *
 * @param fallback What it is called when it has no name of its own.
 */
export function readTool(raw: JsonObject, fallback: string): ToolDefinition {
  const places = placesOf(raw);
  const text = (at: JsonPath): string | undefined => {
    const found = getAt(raw, at);
    return typeof found === "string" ? found : undefined;
  };
  const parameters = getAt(raw, places.parameters);
  const url = text(places.url);
  const responses = { ...fromSchema(raw), ...aliasesOf(raw)?.variables };
  const type = raw.type === "code" ? "custom" : toolType(raw.type);
  const name = text(places.name) ?? "";
  return {
    name: UNNAMED.includes(name) ? fallback : name,
    description: text(places.description) ?? "",
    ...(isRecord(parameters) && isRecord(parameters.properties) ? { parameters } : {}),
    ...(type === undefined ? {} : { type }),
    ...(url === undefined ? {} : { url }),
    ...(Object.keys(responses).length > 0 ? { response_variables: responses } : {}),
    metadata: { vapi: raw },
  };
}

/** A tool of the organisation's that a node names by its id. */
export function toolById(id: string): ToolDefinition {
  return { name: id, description: "", tool_id: id, metadata: { vapi: { toolId: id } } };
}

/** Writes a tool: Vapi's JSON of it, with what the graph says. */
export function writeTool(tool: ToolDefinition): JsonObject {
  const kept = recordAt(tool.metadata ?? {}, "vapi");
  const kind = vapiType(tool.type);
  if (kind && kind !== "function" && !isText(kept.type)) return { ...kept, type: kind };
  const raw = isText(kept.type) || isRecord(kept.function) ? kept : { ...kept, type: "function" };
  // what an unnamed tool is called depends on where it stands
  const before = readTool(raw, "");
  const places = placesOf(raw);
  let written = raw;
  for (const key of ["name", "description", "parameters", "url"] as const)
    if (!sameJson(before[key] ?? undefined, tool[key] ?? undefined)) written = setAt(written, places[key], tool[key]);
  const wanted = tool.response_variables ?? {};
  if (sameJson(before.response_variables ?? {}, wanted)) return written;
  const inSchema = fromSchema(raw);
  const isInSchema = (name: string) => own(inSchema, name) !== undefined && own(inSchema, name) === own(wanted, name);
  const properties = Object.entries(recordAt(schemaOf(raw), "properties")).filter(([name]) => isInSchema(name));
  const left = aliasesOf(written)?.rest ?? written;
  const cleared = isRecord(getAt(left, SCHEMA))
    ? setAt(left, [...SCHEMA, "properties"], Object.fromEntries(properties))
    : left;
  return withAliases(cleared, Object.fromEntries(Object.entries(wanted).filter(([name]) => !isInSchema(name))));
}

/** Where a tool of Vapi's has what the graph holds of it, or would have it. */
function placesOf(raw: JsonObject): { readonly [Field in "name" | "description" | "parameters" | "url"]: JsonPath } {
  const isRequest = raw.type === "apiRequest";
  const inFunction = (key: string) => (isRequest ? [key] : ["function", key]);
  const hasText = (at: JsonPath) => typeof getAt(raw, at) === "string";
  const properties = (at: JsonPath) => getAt(raw, [...at, "properties"]);
  const isFilled = (at: JsonPath) => Object.keys(properties(at) ?? {}).length > 0;
  const names: JsonPath[] = [["name"], ["function", "name"]];
  const schemas: JsonPath[] = [["body"], ["function", "parameters"]];
  return {
    name: names.find((at) => hasText(at) && !UNNAMED.includes(String(getAt(raw, at)))) ?? inFunction("name"),
    description: [["function", "description"], ["description"]].find(hasText) ?? inFunction("description"),
    parameters: schemas.find(isFilled) ?? schemas.find((at) => isRecord(properties(at))) ?? ["function", "parameters"],
    url: [["url"], ["server", "url"]].find(hasText) ?? (isRequest ? ["url"] : ["server", "url"]),
  };
}

const SCHEMA: JsonPath = ["variableExtractionPlan", "schema"];

function schemaOf(raw: JsonObject): JsonObject {
  return recordAt(recordAt(raw, "variableExtractionPlan"), "schema");
}

/** Variables that are read from a tool's answer by the schema of it. */
function fromSchema(raw: JsonObject): { readonly [variable: string]: string } {
  return Object.fromEntries(Object.keys(recordAt(schemaOf(raw), "properties")).map((name) => [name, `$.${name}`]));
}
