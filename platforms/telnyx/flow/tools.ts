import type { Path } from "../../../src/base/errors.ts";
import {
  isRecord,
  isTexts,
  type JsonObject,
  omit,
  own,
  pick,
  recordAt,
  records,
  sameJson,
  slug,
} from "../../../src/base/values/mod.ts";
import type { ToolDefinition } from "../../../src/document/graph/mod.ts";
import type { RequestWriter } from "../../facts.ts";
import { carriedRequest, requestSettings } from "../../known/mod.ts";
import { isText, keep, LENS, type Lose, lensOf, OWNER, ownKeys } from "../shared/mod.ts";
import {
  ARGUMENT_PLACES,
  DESCRIBED_TOOLS,
  ENDING_TOOLS,
  METHODS,
  NAMED_TOOLS,
  REQUIRED_OF_TOOL,
  SAME_TOOLS,
} from "../traits/mod.ts";

/** Types with one schema of arguments. */
const WITH_PARAMETERS: readonly string[] = ["function", "client_side_tool"];

/** The graph's type of a tool. */
const graphType = (type: string): string => ENDING_TOOLS.get(type) ?? (type === "webhook" ? "custom" : type);

type Place = (typeof ARGUMENT_PLACES)[number];

/** How a webhook has the parts of a request. */
export const TELNYX_REQUEST: RequestWriter = {
  method: (method) => (METHODS.includes(method) ? { method } : undefined),
  timeoutMs: (timeout) => ({ around: { timeout_ms: timeout } }),
  headers: (headers) => ({ headers: Object.entries(headers).map(([name, value]) => ({ name, value })) }),
};

/** The id under which a node refers to a tool that has none yet. `deploy` replaces it by the platform's. */
export const madeId = (name: string): string => `tool-${slug(name) || "tool"}`;

/** Whether an id was made of the name. */
export const isMadeId = (id: string, name: string): boolean =>
  id.startsWith(madeId(name)) && /^(?:-\d+)?$/.test(id.slice(madeId(name).length));

/** The name in a tool's JSON: its own, or its type. */
export function toolJsonName(tool: JsonObject): string {
  const type = isText(tool.type) && tool.type !== "" ? tool.type : "function";
  const names = [recordAt(tool, type).name, tool.name];
  return names.filter(isText).find((name) => name !== "") ?? type;
}

/** Reads a tool. `id`: of a shared tool; an id that was made of the name is not kept. */
export function readTool(tool: JsonObject, id?: unknown, lens: JsonObject = {}): ToolDefinition {
  const type = isText(tool.type) && tool.type !== "" ? tool.type : "function";
  const isNested = isRecord(own(tool, type));
  const body = isNested ? recordAt(tool, type) : omit(tool, ["type", "shared"]);
  const around = isNested ? omit(tool, ["type", type, "shared", "id"]) : {};
  const name = toolJsonName(tool);
  const { parameters, places, keys } = readParameters(type, body);
  const stored = readStored(body.store_fields_as_variables);
  const address = type === "webhook" && isText(body.url) ? { url: body.url } : {};
  const targets = isText(body.targets) ? { targets: [{ to: body.targets }] } : {};
  const rest = omit(body, [
    ...["name", "description", ...keys, ...Object.keys(address)],
    ...(stored ? ["store_fields_as_variables"] : []),
  ]);
  const marks = {
    ...lens,
    ...(isNested ? {} : { flat: true }),
    ...(places ? { places } : {}),
    ...(isText(body.targets) ? { targets: "text" } : {}),
  };
  const isMade = isText(id) && isMadeId(id, name);
  const typed = graphType(type) === type ? {} : { type };
  return {
    name,
    description: isText(body.description) ? body.description : "",
    type: graphType(type),
    ...(parameters ? { parameters } : {}),
    ...address,
    ...(stored ? { response_variables: stored } : {}),
    ...(isText(id) && !isMade ? { tool_id: id } : {}),
    metadata: keep({ ...typed, ...rest, ...targets, ...(Object.keys(around).length > 0 ? { around } : {}) }, marks),
  };
}

/** A shared tool of which a document has only the id. */
export function unknownTool(id: string, lens: JsonObject = {}): ToolDefinition {
  return { name: id, description: "", tool_id: id, metadata: keep({}, { ...lens, unresolved: true }) };
}

/** Whether a tool is one of which only the id is known, and still has its name. */
export function isUnresolved(tool: ToolDefinition): boolean {
  return lensOf(tool).unresolved === true && tool.tool_id === tool.name;
}

/** Reads the arguments: of a webhook, those of its path, query and body together. */
function readParameters(type: string, body: JsonObject) {
  const single = isRecord(body.parameters) ? body.parameters : undefined;
  if (type !== "webhook") return { parameters: single, keys: single ? ["parameters"] : [] };
  const found = ARGUMENT_PLACES.filter((place) => isRecord(recordAt(body, place).properties));
  const [first] = found;
  if (!first) return { keys: [] };
  const schemas = found.map((place) => recordAt(body, place));
  const properties = Object.assign({}, ...schemas.map((schema) => recordAt(schema, "properties")));
  const required = schemas.flatMap((schema) => (isTexts(schema.required) ? schema.required : []));
  const whole =
    found.length === 1 ? recordAt(body, first) : { type: "object", ...(required.length > 0 ? { required } : {}) };
  const places = Object.fromEntries(
    found.map((place) => [place, Object.keys(recordAt(recordAt(body, place), "properties"))]),
  );
  return { parameters: { ...whole, properties }, places, keys: found };
}

/** Writes the arguments of a webhook: the inverse of {@link readParameters}. New ones go where its method has them. */
function writeParameters(tool: ToolDefinition, method: unknown): JsonObject {
  const { parameters, url } = tool;
  if (!isRecord(parameters)) return {};
  const places = recordAt(lensOf(tool), "places");
  const usual: Place = method === "GET" || method === "DELETE" ? "query_parameters" : "body_parameters";
  const inPath = (name: string) => Boolean(url?.replaceAll(/\{\{[^{}]*\}\}/g, "").includes(`{${name}}`));
  const placeOf = (name: string): Place =>
    ARGUMENT_PLACES.find((place) => {
      const names: unknown = own(places, place);
      return Array.isArray(names) && names.includes(name);
    }) ?? (inPath(name) ? "path_parameters" : usual);
  const properties = recordAt(parameters, "properties");
  const names = Object.keys(properties);
  const used = ARGUMENT_PLACES.filter((place) => names.some((name) => placeOf(name) === place));
  const given = ARGUMENT_PLACES.filter((place) => Object.hasOwn(places, place));
  const [only = given[0] ?? usual] = used;
  const required = isTexts(parameters.required) ? parameters.required : [];
  if (used.length < 2) return { [only]: { ...cleanRequired(parameters), type: "object", properties } };
  return Object.fromEntries(
    used.map((place) => {
      const mine = names.filter((name) => placeOf(name) === place);
      const needed = required.filter((name) => mine.includes(name));
      const others = place === used.at(-1) ? omit(parameters, ["properties", "required", "type"]) : {};
      const list = needed.length > 0 ? { required: needed } : {};
      return [place, { ...others, type: "object", properties: pick(properties, mine), ...list }];
    }),
  );
}

const cleanRequired = (schema: JsonObject) => omit(schema, isTexts(schema.required) ? [] : ["required"]);

/** Reads the variables that a webhook stores; `undefined` if the list has another shape. */
function readStored(list: unknown): { readonly [name: string]: string } | undefined {
  if (!Array.isArray(list) || !list.every((each) => isRecord(each) && isText(each.name) && isText(each.value_path)))
    return undefined;
  return Object.fromEntries(
    records(list).map(({ name, value_path: path }) => [name, String(path).startsWith("$") ? path : `$.${path}`]),
  );
}

const writeStored = (variables: { readonly [name: string]: string }) =>
  Object.entries(variables).map(([name, path]) => ({ name, value_path: path.replace(/^\$\.?/, "") }));

/** Telnyx's type of a tool. The imported one stays while it fits the graph's. */
export function toolType(tool: ToolDefinition): string {
  const given = ownKeys(tool).type;
  const named = tool.type ?? "custom";
  if (isText(given) && graphType(given) === named) return given;
  if (named === "webhook") return "webhook";
  const type = own(SAME_TOOLS, named) ?? named;
  if (type === "webhook" || !Object.hasOwn(REQUIRED_OF_TOOL, type) || (type === "function" && tool.url))
    return tool.url ? "webhook" : "function";
  return type;
}

/** Writes a tool. `native`: it comes from a document of Telnyx and is not completed. */
export function writeTool(given: ToolDefinition, native: boolean, path: Path, lose: Lose): JsonObject {
  const tool = withRequest(given);
  const type = toolType(tool);
  const { type: _, around, ...settings } = omit(ownKeys(tool), [LENS]);
  const isNamed = NAMED_TOOLS.includes(type);
  const needed = native ? {} : recordAt(REQUIRED_OF_TOOL, type);
  const isDescribed = DESCRIBED_TOOLS.includes(type);
  const body: JsonObject = {
    ...(isNamed || (native && tool.name !== type) ? { name: tool.name } : {}),
    ...(isDescribed && (isNamed || tool.description !== "") ? { description: tool.description } : {}),
    ...needed,
    ...settings,
    ...(type === "webhook" && tool.url ? { url: tool.url } : {}),
    ...(WITH_PARAMETERS.includes(type) && tool.parameters ? { parameters: objectSchema(tool.parameters) } : {}),
    ...(type === "webhook" ? writeParameters(tool, settings.method ?? "POST") : {}),
    ...(type === "webhook" && tool.response_variables
      ? { store_fields_as_variables: writeStored(tool.response_variables) }
      : {}),
    ...(Array.isArray(settings.targets) ? { targets: writeTargets(settings.targets, tool) } : {}),
  };
  loseParts(tool, type, path, lose);
  const lens = lensOf(tool);
  return lens.flat === true ? { type, ...body } : { type, ...(isRecord(around) ? around : {}), [type]: body };
}

const objectSchema = (schema: JsonObject): JsonObject => ({
  ...cleanRequired(schema),
  type: "object",
  properties: recordAt(schema, "properties"),
});

/** Targets are a list, or a text with a variable. */
function writeTargets(targets: readonly unknown[], tool: ToolDefinition): unknown {
  const [only, ...others] = targets;
  const isPlain = isRecord(only) && others.length === 0 && sameJson(Object.keys(only), ["to"]);
  return isPlain && lensOf(tool).targets === "text" ? only.to : targets;
}

/** Puts the request that other platforms' settings have into Telnyx's, which take precedence. */
function withRequest(tool: ToolDefinition): ToolDefinition {
  const parts = carriedRequest(tool, OWNER, TELNYX_REQUEST);
  if (parts.length === 0) return tool;
  return { ...tool, metadata: { ...tool.metadata, [OWNER]: { ...requestSettings(parts), ...ownKeys(tool) } } };
}

/** Reports parts that this type of tool does not have. */
function loseParts(tool: ToolDefinition, type: string, path: Path, lose: Lose): void {
  const known = own(SAME_TOOLS, tool.type ?? "custom") ?? tool.type ?? "";
  if (!Object.hasOwn(REQUIRED_OF_TOOL, known) && known !== type) lose("tool-type", [...path, "type"], known);
  if (known === "webhook" && type === "function") lose("tool-url", path, tool.name);
  if (!NAMED_TOOLS.includes(type) && tool.name !== type) lose("tool-name", [...path, "name"], tool.name);
  const isWebhook = type === "webhook";
  const lost = {
    description: !DESCRIBED_TOOLS.includes(type) && tool.description !== "",
    parameters: tool.parameters && !isWebhook && !WITH_PARAMETERS.includes(type),
    url: tool.url && !isWebhook,
    response_variables: tool.response_variables && !isWebhook,
  };
  for (const [key, isLost] of Object.entries(lost)) if (isLost) lose("tool-detail", [...path, key], `${type}, ${key}`);
}

/** Where a transfer tool leads, in words. */
export function destinationWords(tool: ToolDefinition): string {
  const { targets } = ownKeys(tool);
  const places = records(targets).map(({ name, to, sip_address: address }) =>
    [name, to ?? address].filter(isText).join(", "),
  );
  return places.join(" or ");
}

/** Whether a tool at a node is one of the assistant's. */
export const isInherited = (tool: ToolDefinition): boolean => lensOf(tool).inherited === true;
