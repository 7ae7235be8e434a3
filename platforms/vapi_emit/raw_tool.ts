import type { Path } from "../../src/errors.ts";
import { isRecord, type JsonObject, omit, type ToolDefinition } from "../../src/graph/mod.ts";
import type { EmitContext } from "./context.ts";
import type { EmittedTool } from "./custom_tool.ts";
import { MAX_ALIAS, MAX_FUNCTION_NAME, type NamePool, slug } from "./names.ts";
import { emitParameters, emitSchema } from "./schema.ts";

/** What every tool of Vapi's may have, and what each kind may have beside it (SDK 2.0.1, `Create…ToolDTO`). */
const COMMON = ["type", "messages", "rejectionPlan"];
const KINDS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    function: ["async", "server", "variableExtractionPlan", "parameters", "function"],
    apiRequest: [
      ...["name", "method", "timeoutSeconds", "credentialId", "encryptedPaths", "parameters", "description", "url"],
      ...["body", "headers", "backoffPlan", "variableExtractionPlan"],
    ],
    code: [
      ...["async", "server", "code", "environmentVariables", "timeoutSeconds", "credentialId"],
      ...["variableExtractionPlan", "function"],
    ],
    handoff: ["defaultResult", "destinations", "function"],
    transferCall: ["destinations"],
    dtmf: ["sipInfoDtmfEnabled"],
    mcp: ["server", "toolMessages", "metadata"],
    query: ["knowledgeBases"],
    sipRequest: ["verb", "headers", "body"],
    voicemail: ["beepDetectionEnabled"],
    bash: ["subType", "server", "name"],
    textEditor: ["subType", "server", "name"],
    computer: ["subType", "server", "name", "displayWidthPx", "displayHeightPx", "displayNumber"],
    ...Object.fromEntries(
      [
        ...["endCall", "sms", "slack.message.send", "google.calendar.event.create", "google.sheets.row.append"],
        ...["google.calendar.availability.check", "gohighlevel.calendar.event.create", "gohighlevel.contact.create"],
        ...["gohighlevel.calendar.availability.check", "gohighlevel.contact.get"],
      ].map((type) => [type, []]),
    ),
  }),
);

/** The raw keys that name or describe a tool in the graph's own words. */
const NAMED = ["name", "description", "function"];

/** Whether today's API has a kind of tool. */
export const isToolKind = (type: unknown) => typeof type === "string" && KINDS.has(type);

/**
 * A tool that came with Vapi's own JSON, in the words of today's API: keys that its kind does not know are left out, a
 * value that is bound to a property of the body becomes a static parameter.
 */
export function fitTool(
  raw: JsonObject,
  definition: ToolDefinition,
  path: Path,
  names: NamePool,
  context: EmitContext,
): EmittedTool {
  const { losses } = context;
  const type = String(raw.type);
  const kind = KINDS.get(type);
  const known = new Set([...COMMON, ...(kind ?? [])]);
  const kept = Object.fromEntries(Object.entries(raw).filter(([key, value]) => known.has(key) && value !== null));
  const lost = Object.keys(raw).filter((key) => !known.has(key) && !NAMED.includes(key) && !isServerKey(key));
  if (lost.length > 0) {
    losses.dropped(
      "tool-dropped",
      path,
      `Vapi's ${type} tools have no ${lost.map((key) => `"${key}"`).join(", ")}`,
      "the tool without them",
      "Set up in today's API what these keys stood for",
    );
  }
  const plan = aliasesOf(kept, definition, context);
  if (type === "apiRequest") {
    const name = names.take(slug(definition.name), MAX_ALIAS);
    const { bound, body } = staticBody(kept.body);
    const parameters = [...(Array.isArray(kept.parameters) ? kept.parameters : []), ...bound];
    const tool = {
      ...omit(kept, ["body", "parameters", "headers"]),
      name,
      method: typeof kept.method === "string" ? kept.method : "POST",
      url: typeof kept.url === "string" ? kept.url : (definition.url ?? ""),
      ...(definition.description ? { description: definition.description } : {}),
      ...(body ? { body: emitSchema(body, path, losses) } : {}),
      ...(isRecord(kept.headers) ? { headers: emitSchema(headerSchema(kept.headers), path, losses) } : {}),
      ...(parameters.length > 0 ? { parameters } : {}),
      ...plan,
    };
    return { tool: asTool(tool), name };
  }
  if (type === "function" || type === "code") {
    const name = names.take(slug(definition.name), MAX_FUNCTION_NAME);
    const described = definition.description ? { description: definition.description } : {};
    const parameters = emitParameters(definition.parameters, path, losses);
    return { tool: asTool({ ...kept, function: { name, ...described, parameters }, ...plan }), name };
  }
  return { tool: asTool(kept), name: type };
}

/** Server-managed keys say nothing about what a tool does. */
function isServerKey(key: string): boolean {
  return ["id", "orgId", "createdAt", "updatedAt", "metadata", "latestVersion"].includes(key);
}

function aliasesOf(raw: JsonObject, definition: ToolDefinition, context: EmitContext): JsonObject {
  const plan = isRecord(raw.variableExtractionPlan) ? raw.variableExtractionPlan : {};
  const aliases: unknown[] = Array.isArray(plan.aliases) ? [...plan.aliases] : [];
  const marker = context.markers.isAnswerRead(definition.name) ? context.markers.answered(definition.name) : undefined;
  const isMarked = aliases.some((alias) => isRecord(alias) && alias.key === marker);
  if (marker !== undefined && !isMarked) aliases.push({ key: marker, value: "true" });
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

/** Headers as a schema whose values are fixed; older tools wrote them as plain texts. */
function headerSchema(headers: JsonObject): JsonObject {
  return headers.type === "object" ? headers : { type: "object", properties: {} };
}

/** The keys have been checked against the kind; the values are Vapi's own, from its own JSON. */
function asTool(tool: JsonObject): EmittedTool["tool"] {
  return tool as unknown as EmittedTool["tool"]; // raw JSON of Vapi's: no type of ours can vouch for it
}
