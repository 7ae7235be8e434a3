import type { Path } from "../../../../src/base/errors.ts";
import { isRecord, type JsonObject, omit, quotedList, recordAt } from "../../../../src/base/values/mod.ts";
import type { ToolDefinition } from "../../../../src/document/graph/mod.ts";
import { type Fault, fitToolSettings, limits } from "../../api/mod.ts";
import { VAPI_SERVER_KEYS } from "../../traits/mod.ts";
import { functionSlug, type LossList } from "../common/mod.ts";
import type { EmitContext } from "../plan/mod.ts";
import { reportFaults } from "../settings/mod.ts";
import { type EmittedTool, emitParameters, emitSchema, type ToolPlace } from "./parts.ts";

/** Keys for the name and description of a tool, which the graph models. */
const NAMED = ["name", "description", "function"];

/** Types of tools for which `name` has another meaning. */
const OWN_NAMES = new Set(["bash", "textEditor", "computer"]);

/**
 * Converts a tool in Vapi's own JSON to one that the current API accepts: corrects or removes keys that its type does
 * not have, and converts fixed values of the body to static parameters.
 *
 * @returns `undefined` if the rest is not a valid tool of its type.
 */
export function fitTool(
  raw: JsonObject,
  definition: ToolDefinition,
  { path, names, flags }: ToolPlace,
  { losses }: EmitContext,
): EmittedTool | undefined {
  const type = String(raw.type);
  const at = [...path, "metadata", "vapi"];
  const faults: Fault[] = [];
  const settings = settingsOf(raw, definition);
  const isRequest = type === "apiRequest";
  // schemas of an API request are converted below, with their own losses
  const kept = fitToolSettings(isRequest ? omit(settings, ["body", "headers"]) : settings, at, faults);
  reportFaults(faults, losses, "tool-dropped");
  if (!kept) return undefined;
  if (!isRequest && type !== "function" && type !== "code") return { tool: asTool(kept), name: type };
  const plan = aliasesOf(kept, flags);
  const name = names.take(functionSlug(definition.name), isRequest ? limits().requestName : limits().functionName);
  const described = definition.description ? { description: definition.description } : {};
  if (!isRequest) {
    const parameters = emitParameters(definition.parameters, path, losses);
    return { tool: asTool({ ...kept, function: { name, ...described, parameters }, ...plan }), name };
  }
  const { bound, body } = staticBody(settings.body);
  const parameters = [...(Array.isArray(kept.parameters) ? kept.parameters : []), ...bound];
  const tool = {
    ...omit(kept, ["parameters"]),
    name,
    ...described,
    ...(body ? { body: emitSchema(body, path, losses) } : {}),
    ...headersOf(settings.headers, at, path, losses),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...plan,
  };
  return { tool: asTool(tool), name };
}

/** Removes keys that the graph models or Vapi's server adds, and sets the defaults of an API request. */
function settingsOf(raw: JsonObject, { url }: ToolDefinition): JsonObject {
  const type = String(raw.type);
  const bare = Object.entries(raw).filter(([key]) => {
    const isNamed = NAMED.includes(key) && !(key === "name" && OWN_NAMES.has(type));
    // old tools have the schema of their arguments at the top level
    const isFlat = key === "parameters" && type === "function" && isRecord(raw.parameters);
    // Vapi's server also adds `metadata`, except for MCP tools
    return !isNamed && !isFlat && !VAPI_SERVER_KEYS.includes(key) && (key !== "metadata" || type === "mcp");
  });
  const textOr = (value: unknown, fallback: string) => (typeof value === "string" ? value : fallback);
  const request = { method: textOr(raw.method, "POST"), url: textOr(raw.url, url ?? "") };
  return { ...Object.fromEntries(bare), ...(type === "apiRequest" ? request : {}) };
}

function aliasesOf(raw: JsonObject, flags: readonly string[]): JsonObject {
  const plan = recordAt(raw, "variableExtractionPlan");
  const own: readonly unknown[] = Array.isArray(plan.aliases) ? plan.aliases : [];
  const more = [...new Set(flags)].filter((key) => !own.some((alias) => isRecord(alias) && alias.key === key));
  const aliases = [...own, ...more.map((key) => ({ key, value: "succeeded" }))];
  const hasSchema = Object.keys(recordAt(recordAt(plan, "schema"), "properties")).length > 0;
  if (aliases.length === 0 && !hasSchema) return {};
  return { variableExtractionPlan: { ...(hasSchema ? { schema: plan.schema } : {}), aliases } };
}

/** Separates fixed values of a body from the model's arguments. Workflows wrote them as `value` or Liquid `default`. */
function staticBody(body: unknown): { readonly bound: readonly JsonObject[]; readonly body?: JsonObject } {
  if (!isRecord(body)) return { bound: [] };
  const properties = recordAt(body, "properties");
  const bound = Object.entries(properties).flatMap(([key, property]) => {
    const value = isRecord(property) ? (property.value ?? liquidIn(property.default)) : undefined;
    return value === undefined ? [] : [{ key, value }];
  });
  if (bound.length === 0) return { bound, body };
  const taken = bound.map(({ key }) => key);
  const open = omit(properties, taken);
  const required = (Array.isArray(body.required) ? body.required : []).filter((key) => Object.hasOwn(open, key));
  return { bound, ...(Object.keys(open).length > 0 ? { body: { ...body, properties: open, required } } : {}) };
}

function liquidIn(value: unknown): string | undefined {
  return typeof value === "string" && /^\s*\{\{.*\}\}\s*$/.test(value) ? value : undefined;
}

/** Converts headers, which are a schema. Older tools have plain texts, which Vapi no longer accepts. */
function headersOf(headers: unknown, at: Path, path: Path, losses: LossList): JsonObject {
  if (!isRecord(headers) || Object.keys(headers).length === 0) return {};
  if (headers.type === "object") return { headers: emitSchema(headers, path, losses) };
  losses.add("tool-dropped", [...at, "headers"], {
    kind: "dropped",
    message: `Vapi no longer accepts plain texts for the headers ${quotedList(Object.keys(headers))}`,
    instead: "the request without them",
    hint: "Move the headers to a credential, and set credentialId",
  });
  return {};
}

/** The keys have been checked against the type; the values come from Vapi's own JSON. */
function asTool(tool: JsonObject): EmittedTool["tool"] {
  return tool as unknown as EmittedTool["tool"]; // Vapi's own JSON, which has no static type
}
