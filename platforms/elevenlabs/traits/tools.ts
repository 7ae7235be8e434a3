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
} from "../../../src/base/values/mod.ts";
import type { ToolDefinition } from "../../../src/document/graph/mod.ts";
import { DESTINATION_KEYS, digitsOf, readDestination, writeDestination } from "./destinations.ts";
import { filled, lensOf, OWNER, settingsOf } from "./metadata.ts";

/** System tools that have a type in graphs of every platform. */
const SYSTEM_TYPES: { readonly [system: string]: string } = {
  end_call: "end_call",
  transfer_to_number: "transfer_call",
};

/** Reads a tool. */
export function readTool(config: JsonObject, lens: JsonObject = {}): JsonObject {
  const { name, description, type, params, parameters, assignments, api_schema: schema, ...rest } = config;
  const api = isRecord(schema) ? schema : {};
  const { url, request_body_schema: body, query_params_schema: query } = api;
  const isWebhook = typeof url === "string";
  const isQuery = isWebhook && !isRecord(body) && isRecord(query);
  const given = isQuery ? { type: "object", ...query } : isWebhook ? body : parameters;
  const { transfers, system_tool_type: systemType, ...system } = isRecord(params) ? params : {};
  const isSystem = type === "system" && typeof systemType === "string";
  const isPlain = type === (isWebhook ? "webhook" : "client");
  const variables = records(assignments).filter((each) => typeof each.dynamic_variable === "string");
  const values = variables.map((each) => [each.dynamic_variable, toPath(each.value_path)]);
  const kept: JsonObject = {
    ...rest,
    ...(isRecord(given) || parameters === undefined || isWebhook ? {} : { parameters }),
    ...(isPlain || isSystem ? {} : { type }),
    ...filled(
      "api_schema",
      omit(api, isWebhook ? ["url", isQuery ? "query_params_schema" : "request_body_schema"] : []),
    ),
    ...filled("params", system),
    ...(Array.isArray(transfers) ? { transfers: records(transfers).map(readTransfer) } : {}),
    ...filled("lens", { ...lens, ...(isQuery ? { query: true } : {}), ...(isSystem ? { system: true } : {}) }),
  };
  return {
    name: typeof name === "string" ? name : isSystem ? systemType : "tool",
    description: typeof description === "string" ? description : "",
    type: isSystem ? (SYSTEM_TYPES[systemType] ?? systemType) : isPlain ? "custom" : (type ?? "custom"),
    ...(isRecord(given) ? { parameters: jsonSchemaOf(given) } : {}),
    ...(isWebhook ? { url } : {}),
    ...filled("response_variables", Object.fromEntries(values)),
    metadata: { [OWNER]: kept },
  };
}

/** A schema whose properties are a list, as the dashboard copies tools, has them by name. */
function jsonSchemaOf(schema: JsonObject): JsonObject {
  if (!Array.isArray(schema.properties)) return schema;
  const all = records(schema.properties);
  const properties = all.map((each) => [String(each.id), omit(each, ["id", "value_type", "required"])]);
  const required = all.flatMap((each) => (each.required === true ? [String(each.id)] : []));
  return { ...schema, properties: Object.fromEntries(properties), required };
}

function readTransfer({ transfer_destination: destination, ...transfer }: JsonObject): JsonObject {
  return { ...transfer, ...(isRecord(destination) ? readDestination(destination) : {}) };
}

/** `$.order.items[0]` and `order.items.0`. */
const toPath = (path: unknown) => `$.${String(path)}`.replace(/\.(\d+)(?=\.|$)/g, "[$1]");
const fromPath = (path: string) =>
  path
    .replace(/^\$\.?|["'\]]/g, "")
    .replace(/\[/g, ".")
    .replace(/^\./, "");

/** Takes a part that ElevenLabs does not support. */
interface LostParts {
  readonly add: (code: string, path: Path, message: string, instead?: string) => void;
}

/** What writing a tool needs. */
export interface ToolContext {
  readonly losses: LostParts;
  readonly isNative: boolean;
  /** The request that other platforms' settings of the tool have. */
  readonly request: JsonObject;
}

/** The type of a system tool; `undefined` for every other tool. */
export function systemTool({ type, metadata }: ToolDefinition): string | undefined {
  if (type === "end_call") return "end_call";
  if (type === "transfer_call") return "transfer_to_number";
  const isSystem = settingsOf(metadata).type === "system" || lensOf(metadata).system === true;
  return isSystem && typeof type === "string" ? type : undefined;
}

/** Writes a tool: the inverse of {@link readTool}. */
export function writeTool(tool: ToolDefinition, path: Path, context: ToolContext): JsonObject {
  const { losses, isNative } = context;
  const { type, name, description } = tool;
  const all = omit(settingsOf(tool.metadata), ["tool_id", "schema_overrides"]);
  const given = omit(all, [
    "api_schema",
    "params",
    "transfers",
    "transfer_destination",
    "method",
    "request_headers",
    "type",
  ]);
  const variables = Object.entries(tool.response_variables ?? {}).map(([variable, value]) => ({
    ...{ source: "response", dynamic_variable: variable, value_path: fromPath(value) },
  }));
  const system = systemTool(tool);
  const head = {
    ...given,
    name,
    description,
    ...(variables.length > 0 && (isNative || !system) ? { assignments: variables } : {}),
  };
  if (system !== undefined) {
    for (const key of ["url", "parameters", "response_variables"] as const)
      if (tool[key] && !isNative) losses.add("tool-part", [...path, key], `A system tool has no ${key} of its own`);
    const params = { ...recordAt(all, "params"), system_tool_type: system, ...transfersOf(tool, system, all) };
    return { type: "system", ...head, params };
  }
  const kind = typeof all.type === "string" ? all.type : tool.url ? "webhook" : "client";
  const isPlain = type == null || type === "custom" || type === "function" || all.type !== undefined;
  if (!isPlain && !isNative)
    losses.add("tool-type", [...path, "type"], `ElevenLabs has no tool of the type "${type}"`, `a ${kind} tool`);
  const at = [...path, "parameters"];
  const parameters = isNative || !tool.parameters ? tool.parameters : toDialect(tool.parameters, { path: at, losses });
  if (!tool.url)
    return {
      type: isPlain ? kind : isNative ? type : kind,
      ...pick(all, ["api_schema"]),
      ...head,
      ...(parameters ? { parameters } : {}),
    };
  const { response_timeout_secs: seconds, ...request } = context.request;
  const api = { ...(isNative ? {} : { method: "POST" }), ...request, ...recordAt(all, "api_schema"), url: tool.url };
  const isQuery = isNative
    ? lensOf(tool.metadata).query === true
    : ["GET", "DELETE"].includes(String(recordAt({ api }, "api").method));
  const body = !parameters ? {} : isQuery ? queryOf(parameters, at, context) : { request_body_schema: parameters };
  return {
    type: kind,
    ...(seconds === undefined ? {} : { response_timeout_secs: seconds }),
    ...head,
    api_schema: { ...api, ...body },
  };
}

function queryOf({ type: _type, ...schema }: JsonObject, path: Path, { losses, isNative }: ToolContext): JsonObject {
  if (isNative) return { query_params_schema: schema };
  const all = Object.entries(recordAt(schema, "properties"));
  const isNested = (each: unknown) => isRecord(each) && ["object", "array"].includes(String(each.type));
  for (const [name] of all.filter(([, each]) => isNested(each)))
    losses.add("schema-keyword", [...path, "properties", name], `The query of a URL has no lists and objects: ${name}`);
  const properties = Object.fromEntries(all.filter(([, each]) => !isNested(each)));
  const required = isTexts(schema.required) ? schema.required.filter((name) => Object.hasOwn(properties, name)) : [];
  const needed = required.length > 0 ? { required } : {};
  return Object.keys(properties).length > 0 ? { query_params_schema: { properties, ...needed } } : {};
}

function transfersOf({ description }: ToolDefinition, system: string, settings: JsonObject): JsonObject {
  const { transfers, transfer_destination: destination } = settings;
  if (system !== "transfer_to_number") return Array.isArray(transfers) ? { transfers } : {};
  const written = (isRecord(destination) ? [destination] : records(transfers)).map((each) => ({
    condition: description || "The caller asks for it",
    ...omit(each, DESTINATION_KEYS),
    ...digitsOf(each),
    transfer_destination: writeDestination(pick(each, DESTINATION_KEYS)),
  }));
  return { transfers: written };
}

/** Keys of a schema, by its type. ElevenLabs has no others. */
const COMMON = ["type", "description", "dynamic_variable", "constant_value", "is_omitted"];
const LEAF = [...COMMON, "enum", "is_system_provided", "allowed_values_dynamic_variable"];
const KEYWORDS: { readonly [type: string]: readonly string[] } = {
  object: [...COMMON, "property_kind", "properties", "required", "required_constraints"],
  array: [...COMMON, "property_kind", "items"],
  ...{ boolean: LEAF, string: LEAF, integer: LEAF, number: LEAF },
};

interface SchemaPlace {
  readonly path: Path;
  readonly losses: LostParts;
  /** Name of the property. Absent: the whole schema. */
  readonly name?: string;
}

/** Writes a JSON Schema in ElevenLabs' dialect: each leaf has one type, and a description that the model fills it by. */
function toDialect(schema: JsonObject, { path, losses, name }: SchemaPlace): JsonObject {
  const { description, enum: choices, required } = schema;
  const type = name === undefined ? "object" : typeOf(schema);
  const lose = (key: string, why: string) => losses.add("schema-keyword", [...path, key], `ElevenLabs' schemas ${why}`);
  for (const key of Object.keys(schema).filter((each) => !KEYWORDS[type]?.includes(each)))
    lose(key, `do not support "${key}" here: ${JSON.stringify(schema[key])}`);
  if (schema.type !== undefined && schema.type !== type)
    lose("type", `have no type ${JSON.stringify(schema.type)} here`);
  const words = typeof description === "string" && description !== "" ? description : undefined;
  const inner = (value: unknown, at: Path, key: string) =>
    toDialect(isRecord(value) ? value : {}, { path: [...path, ...at], losses, name: key });
  if (type === "object") {
    const all = Object.entries(recordAt(schema, "properties"));
    const properties = all.map(([key, each]) => [key, inner(each, ["properties", key], key)] as const);
    const needed = isTexts(required) ? { required } : {};
    return { type, ...(words ? { description: words } : {}), properties: Object.fromEntries(properties), ...needed };
  }
  if (type === "array") return { type, description: words ?? name, items: inner(schema.items, ["items"], name ?? "") };
  const isChosen = Array.isArray(choices) && choices.length > 0;
  if (isChosen && !isTexts(choices)) lose("enum", `have texts as choices: ${JSON.stringify(choices)}`);
  const texts = isChosen ? choices.map((each) => (typeof each === "string" ? each : JSON.stringify(each))) : [];
  const { dynamic_variable: variable, constant_value: constant } = schema;
  const isConstant = ["string", "number", "boolean"].includes(typeof constant) && constant !== "";
  const filler = variable
    ? { dynamic_variable: variable }
    : isConstant
      ? { constant_value: constant }
      : { description: words ?? name };
  return { type: isChosen ? "string" : type, ...(isChosen ? { enum: texts } : {}), ...filler };
}

function typeOf({ type, properties, items }: JsonObject): string {
  const [first = isRecord(properties) ? "object" : isRecord(items) ? "array" : "string"] = Array.isArray(type)
    ? type
    : [type];
  return typeof first === "string" && own(KEYWORDS, first) ? first : "string";
}
