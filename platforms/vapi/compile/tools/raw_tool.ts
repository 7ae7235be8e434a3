import type { Vapi } from "@vapi-ai/server-sdk";
import type { Path } from "../../../../src/errors.ts";
import type { ToolDefinition } from "../../../../src/graph/mod.ts";
import { isRecord, type JsonObject, omit } from "../../../../src/values/mod.ts";
import { type Fault, fitToolSettings, limits, SERVER_KEYS } from "../../api/mod.ts";
import type { LossList } from "../common/mod.ts";
import { slug } from "../common/mod.ts";
import type { EmitContext } from "../plan/mod.ts";
import { reportFaults } from "../settings/mod.ts";
import type { EmittedTool, ToolPlace } from "./emitted_tool.ts";
import { emitParameters, emitSchema } from "./schema.ts";

/** The raw keys that name or describe a tool in the graph's own words. */
const NAMED = ["name", "description", "function"];

/** Kinds of which `name` and `function` are more than that. */
const OWN_NAMES = new Set(["bash", "textEditor", "computer"]);

/**
 * A tool that came with Vapi's own JSON, in the words of today's API: what its kind does not know is corrected or left
 * out, a value that is bound to a property of the body becomes a static parameter.
 *
 * @returns `undefined` when too little is left of it to be a tool of its kind.
 */
export function fitTool(
  raw: JsonObject,
  definition: ToolDefinition,
  { path, names, flags }: ToolPlace,
  context: EmitContext,
): EmittedTool | undefined {
  const { losses } = context;
  const type = String(raw.type);
  const at = [...path, "metadata", "vapi"];
  const faults: Fault[] = [];
  const settings = described(raw, definition);
  // an API request's schemas are converted below, with losses of their own
  const kept = fitToolSettings(type === "apiRequest" ? omit(settings, ["body", "headers"]) : settings, at, faults);
  reportFaults(faults, losses, { emulated: "setting-corrected", dropped: "tool-dropped" });
  if (!kept) return undefined;
  const plan = aliasesOf(kept, flags);
  if (type === "apiRequest") {
    const name = names.take(slug(definition.name), limits().requestName);
    const { bound, body } = staticBody(settings.body);
    const parameters = [...(Array.isArray(kept.parameters) ? kept.parameters : []), ...bound];
    const tool = {
      ...omit(kept, ["parameters"]),
      name,
      ...(definition.description ? { description: definition.description } : {}),
      ...(body ? { body: emitSchema(body, path, losses) } : {}),
      ...headersOf(settings.headers, at, path, losses),
      ...(parameters.length > 0 ? { parameters } : {}),
      ...plan,
    };
    return { tool: asTool(tool), name };
  }
  if (type === "function" || type === "code") {
    const name = names.take(slug(definition.name));
    const described = definition.description ? { description: definition.description } : {};
    const parameters = emitParameters(definition.parameters, path, losses);
    return { tool: asTool({ ...kept, function: { name, ...described, parameters }, ...plan }), name };
  }
  return { tool: asTool(kept), name: type };
}

/** The tool without what the graph's own words say, and without what a server keeps; an API request's defaults filled in. */
function described(raw: JsonObject, definition: ToolDefinition): JsonObject {
  const type = String(raw.type);
  const bare = Object.entries(raw).filter(([key]) => {
    const isNamed = NAMED.includes(key) && !(key === "name" && OWN_NAMES.has(type));
    // `metadata` is the server's too, but for MCP tools
    return !isNamed && !SERVER_KEYS.includes(key) && (key !== "metadata" || type === "mcp");
  });
  const request =
    type === "apiRequest"
      ? {
          method: typeof raw.method === "string" ? raw.method : "POST",
          url: typeof raw.url === "string" ? raw.url : (definition.url ?? ""),
        }
      : {};
  // a schema of arguments at the top is how tools were written before they had a function
  const isFlat = type === "function" && isRecord(raw.parameters);
  return { ...omit(Object.fromEntries(bare), isFlat ? ["parameters"] : []), ...request };
}

function aliasesOf(raw: JsonObject, flags: readonly string[]): JsonObject {
  const plan = isRecord(raw.variableExtractionPlan) ? raw.variableExtractionPlan : {};
  const aliases: unknown[] = Array.isArray(plan.aliases) ? [...plan.aliases] : [];
  for (const key of flags)
    if (!aliases.some((alias) => isRecord(alias) && alias.key === key)) aliases.push({ key, value: "succeeded" });
  const schema =
    isRecord(plan.schema) && Object.keys(isRecord(plan.schema.properties) ? plan.schema.properties : {}).length > 0;
  if (aliases.length === 0 && !schema) return {};
  return { variableExtractionPlan: { ...(schema ? { schema: plan.schema } : {}), aliases } };
}

/** Splits a body into what the model fills and what has a fixed value, as workflows wrote it (`value`, or a Liquid `default`). */
function staticBody(body: unknown): { readonly bound: readonly JsonObject[]; readonly body?: JsonObject } {
  if (!isRecord(body)) return { bound: [] };
  const properties = isRecord(body.properties) ? body.properties : {};
  const bound: JsonObject[] = [];
  const open: [string, unknown][] = [];
  for (const [key, property] of Object.entries(properties)) {
    const value = isRecord(property) ? (property.value ?? liquidIn(property.default)) : undefined;
    if (value === undefined) open.push([key, property]);
    else bound.push({ key, value });
  }
  if (bound.length === 0) return { bound, body };
  if (open.length === 0) return { bound };
  const left = new Set(open.map(([key]) => key));
  const required = (Array.isArray(body.required) ? body.required : []).filter((key) => left.has(key));
  return { bound, body: { ...body, properties: Object.fromEntries(open), required } };
}

function liquidIn(value: unknown): string | undefined {
  return typeof value === "string" && /^\s*\{\{.*\}\}\s*$/.test(value) ? value : undefined;
}

/** Headers as the schema that they are today; older tools wrote them as plain texts, for which there is no place. */
function headersOf(headers: unknown, at: Path, path: Path, losses: LossList): { readonly headers?: Vapi.JsonSchema } {
  if (!isRecord(headers) || Object.keys(headers).length === 0) return {};
  if (headers.type === "object") return { headers: emitSchema(headers, path, losses) };
  losses.dropped(
    "tool-dropped",
    [...at, "headers"],
    `Vapi does not take plain texts for the headers ${Object.keys(headers)
      .map((name) => `"${name}"`)
      .join(", ")}`,
    "the request without them",
    "Keep the headers in a credential, and give its id",
  );
  return {};
}

/** The keys have been checked against the kind; the values are Vapi's own, from its own JSON. */
function asTool(tool: JsonObject): EmittedTool["tool"] {
  return tool as unknown as EmittedTool["tool"]; // raw JSON of Vapi's: no type of ours can vouch for it
}
