import { defined, dropAt, getAt, isRecord, type JsonObject, own, recordAt } from "../../../src/base/values/mod.ts";
import type { ToolDefinition } from "../../../src/document/graph/mod.ts";
import { aliasesOf, emitTool, importTool, isNamed, isText } from "../shared/mod.ts";

/** Names that the dashboard gives to unnamed tools. */
const UNNAMED_TOOLS: readonly unknown[] = ["untitled_tool", "api_request_tool", ""];
/** Path of the response properties that become variables. */
const PROPERTIES = ["variableExtractionPlan", "schema", "properties"] as const;

/**
 * Reads a tool. Its JSON is kept under `metadata.vapi`, where authors also set it.
 *
 * @param fallback Name for an unnamed tool.
 */
export function readTool(raw: JsonObject, fallback: string): ToolDefinition {
  const { tool_id: _, ...tool } = importTool(plainTool(raw), "");
  const responses = { ...schemaVariables(raw), ...tool.response_variables };
  return defined({
    ...tool,
    name: isNamed(tool) ? tool.name : fallback,
    type: raw.type === "code" ? "custom" : tool.type,
    response_variables: Object.keys(responses).length > 0 ? responses : undefined,
    metadata: { vapi: raw },
  });
}

/** Creates a tool for a reference to a tool that is saved in the organisation. */
export function toolById(id: string): ToolDefinition {
  return { name: id, description: "", tool_id: id, metadata: { vapi: { toolId: id } } };
}

/** Writes the fields of a tool into its JSON. */
export function writeTool(tool: ToolDefinition): JsonObject {
  const given = recordAt(tool.metadata ?? {}, "vapi");
  if (Object.keys(given).length === 0) return emitTool(tool);
  const isTool = isText(given.type) || isRecord(given.function);
  const type = tool.type ?? (isTool ? undefined : "custom");
  const wanted = tool.response_variables ?? {};
  const inSchema = schemaVariables(given);
  const isKept = (name: string) => own(inSchema, name) !== undefined && own(inSchema, name) === own(wanted, name);
  const gone = Object.keys(inSchema).filter((name) => !isKept(name));
  const bare = gone.reduce((json, name) => dropAt(json, [...PROPERTIES, name]), aliasesOf(given)?.rest ?? given);
  return emitTool({
    ...tool,
    type: given.type === "code" && type === "custom" ? "code" : type,
    response_variables: Object.fromEntries(Object.entries(wanted).filter(([name]) => !isKept(name))),
    metadata: { vapi: { tool: plainTool(isTool ? bare : { type: "function", ...bare }) } },
  });
}

/** Returns a tool without the names and the empty schemas that the dashboard adds. */
function plainTool(raw: JsonObject): JsonObject {
  const names = [["name"], ["function", "name"]].filter((at) => UNNAMED_TOOLS.includes(getAt(raw, at)));
  const schemas = [["body"], ["function", "parameters"]];
  const isFilled = (at: readonly string[]) => Object.keys(getAt(raw, [...at, "properties"]) ?? {}).length > 0;
  const empty = schemas.some(isFilled) ? schemas.filter((at) => !isFilled(at)) : [];
  return [...names, ...empty].reduce(dropAt, raw);
}

/** Returns the variables in the response schema of a tool, with their JSON paths. */
function schemaVariables(raw: JsonObject): { readonly [variable: string]: string } {
  const properties = getAt(raw, PROPERTIES);
  return Object.fromEntries(Object.keys(isRecord(properties) ? properties : {}).map((name) => [name, `$.${name}`]));
}
