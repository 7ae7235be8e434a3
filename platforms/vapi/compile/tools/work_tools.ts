import type { Path } from "../../../../src/base/errors.ts";
import {
  canonicalJson,
  groupBy,
  isRecord,
  type JsonObject,
  type Names,
  omit,
  own,
  quotedList,
  recordAt,
  sortedEntries,
} from "../../../../src/base/values/mod.ts";
import type { AgentNode, ToolDefinition } from "../../../../src/document/graph/mod.ts";
import { extractionByTool, isTerminal } from "../../../lower/mod.ts";
import { type Fault, fitToolSettings, isToolKind, limits } from "../../api/mod.ts";
import { destinationsFor } from "../../shared/mod.ts";
import { VAPI_SERVER_KEYS } from "../../traits/mod.ts";
import { functionSlug, isEmpty, type LossList, rawOf, type VapiTool } from "../common/mod.ts";
import { type EmitContext, joinTools, outcomeSource, toolOfNode } from "../plan/mod.ts";
import { reportFaults } from "../settings/mod.ts";
import { emitText } from "../text/mod.ts";
import { emitCalledTool, emitFailureNote } from "./code_tools.ts";
import {
  answerOr,
  codeTool,
  type EmittedTool,
  emitDescription,
  emitParameters,
  emitSchema,
  emitTransfer,
  type ToolPlace,
} from "./parts.ts";
import { reportToolSettings, requestOf } from "./request.ts";

/** The tools of a member's nodes, and their names for the prompt. */
export interface WorkTools {
  readonly tools: readonly VapiTool[];
  readonly toolIds: readonly string[];
  /** Name of the extract node's tool, by the node's id. */
  readonly extracts: ReadonlyMap<string, string>;
  /** Name of the function node's tool, by the node's id. */
  readonly functions: ReadonlyMap<string, string>;
  /** Names of the tools that report a failure, by the name of the tool that failed. */
  readonly failures: ReadonlyMap<string, string>;
  /** Indexes in `tools`, by the JSON of the graph's tools. */
  readonly places: ReadonlyMap<string, number>;
}

/** Emits the tools of all nodes that a member executes, each tool once. */
export function emitWorkTools(nodes: readonly AgentNode[], pool: Names, context: EmitContext): WorkTools {
  const { markers, losses } = context;
  const emitted: EmittedTool[] = [];
  const extracts = new Map<string, string>();
  const functions = new Map<string, string>();
  const failures = new Map<string, string>();
  const names = new Map<string, string>();
  const places = new Map<string, number>();
  // one variable for each node that reads the outcome of a tool
  const answers = nodes.flatMap((node) =>
    node.tools.map((tool) => ({ tool, flag: markers.readAnswer(node, tool.name) })),
  );
  const flagsOf = groupBy(answers, ({ tool, flag }) => flag && canonicalJson(tool));
  for (const node of nodes.filter((each) => !isTerminal(each))) {
    for (const [index, definition] of node.tools.entries()) {
      const key = canonicalJson(definition);
      if (names.has(key)) continue;
      const flags = (flagsOf.get(key) ?? []).flatMap(({ flag }) => flag ?? []);
      const place = { path: ["nodes", node.id, "tools", index], names: pool, flags };
      const made = emitCustomTool(definition, place, context);
      names.set(key, made.name);
      const isUnnamed = plainName(definition.name) === plainName(definition.type ?? "");
      if (!made.toolId && !isUnnamed && plainName(made.name) !== plainName(definition.name))
        losses.add("tool-renamed", place.path, definition.name, made.name);
      const at = addTool(made, emitted, place.path, context);
      places.set(key, emitted.slice(0, at).filter(({ tool }) => tool).length);
      if (!made.tool || flags.length === 0 || outcomeSource(definition) !== "noted") continue;
      const note = emitFailureNote(made.name, flags, pool);
      emitted.push(note);
      failures.set(made.name, note.name);
    }
    if (node.node_type !== "function") continue;
    const tool = toolOfNode(node);
    const isKept = tool?.tool_id && !tool.url;
    if (tool) functions.set(node.id, isKept ? `the tool of "${node.id}"` : (names.get(canonicalJson(tool)) ?? ""));
    const isSkippable = tool !== undefined && markers.work(node) === undefined;
    losses.add("function-execution", ["nodes", node.id], isSkippable ? tool.name : undefined);
  }
  // nodes that extract the same variables with the same instructions share a tool
  for (const [, group] of groupBy(nodes, extractionKey)) {
    const [first] = group;
    if (!first) continue;
    // extract nodes that the importer of workflows inserts have ids like "from > to"
    const name = pool.take(`extract_${functionSlug(first.id.split(" > ")[0] ?? first.id)}`);
    emitted.push({ tool: emitExtract(first, group, name, context), name });
    extracts.set(first.id, name);
  }
  return {
    tools: emitted.flatMap(({ tool }) => tool ?? []),
    toolIds: emitted.flatMap(({ toolId }) => toolId ?? []),
    extracts,
    functions,
    failures,
    places,
  };
}

const plainName = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, "");

function extractionKey({ node_type, state_prompt, variables_to_extract: variables }: AgentNode): string | undefined {
  return variables.length > 0 ? canonicalJson([variables, node_type === "extract" ? state_prompt : ""]) : undefined;
}

/**
 * Adds a tool, or merges it into an existing tool if Vapi would keep only one of them.
 *
 * @returns The index of the tool.
 */
function addTool(made: EmittedTool, emitted: EmittedTool[], path: Path, { losses }: EmitContext): number {
  for (const [index, { tool, name }] of emitted.entries()) {
    const joined = tool && made.tool && joinTools(tool, made.tool, path, losses);
    if (!joined) continue;
    emitted[index] = { tool: joined, name };
    return index;
  }
  return emitted.push(made) - 1;
}

/** Emits a code tool that returns its arguments, so that its aliases set the extracted variables. */
function emitExtract(node: AgentNode, group: readonly AgentNode[], name: string, context: EmitContext): VapiTool {
  const { variables, losses, markers } = context;
  const path = ["nodes", node.id, "variables_to_extract"];
  const extraction = extractionByTool(node, group, context.graph);
  const properties = Object.entries(extraction.properties).map(
    ([key, schema]) => [variables.emitted(key), schema] as const,
  );
  const required = extraction.required.map((key) => variables.emitted(key));
  losses.add("extraction-timing", path, name);
  return codeTool({
    name,
    description: emitDescription(emitText(extraction.description, path, context), path, context),
    parameters: { type: "object", properties: Object.fromEntries(properties), required },
    code: "return args;",
    aliases: [
      ...properties.map(([key]) => ({
        key,
        value: required.includes(key) ? `{{$.${key}}}` : answerOr(`$.${key}`, key),
      })),
      ...group.map(({ id }) => ({ key: markers.extracted(id), value: "true" })),
    ],
  });
}

/** Converts a tool of the graph: to an API request if it has a `url`, else to a function on the assistant's server. */
function emitCustomTool(definition: ToolDefinition, place: ToolPlace, context: EmitContext): EmittedTool {
  const { path, names, flags } = place;
  const { losses } = context;
  const { type, url } = definition;
  const raw = rawOf(definition);
  if (typeof raw.toolId === "string") return { toolId: raw.toolId, name: names.take(functionSlug(definition.name)) };
  const fitted = isToolKind(raw.type) ? fitTool(raw, definition, place, context) : undefined;
  reportToolSettings(definition, path, losses, fitted !== undefined);
  if (fitted) {
    reportReplaced(definition, { ...fitted.tool }, path, losses);
    return fitted;
  }
  for (const key of unusedKeys(definition)) losses.add("tool-settings", [...path, key], [key]);
  if (type === "end_call") return { tool: { type: "endCall" }, name: "endCall" };
  if (type === "dtmf" || type === "press_digit") return { tool: { type: "dtmf" }, name: "dtmf" };
  if (type === "transfer_call") {
    return {
      tool: emitTransfer(destinationsFor(definition), definition.description, path, context),
      name: "transferCall",
    };
  }
  if (type && type !== "custom" && type !== "function") losses.add("unknown-tool-type", path, type);
  const most = url ? limits().requestName : limits().functionName;
  const name = names.take(functionSlug(definition.name), most);
  // texts of a tool with Vapi's own JSON are not converted
  const textOf = (text: string) => (isRecord(definition.metadata?.vapi) ? text : emitText(text, path, context));
  const description = emitDescription(textOf(definition.description), path, context);
  const described = description ? { description } : {};
  const { headers, ...request } = requestOf(definition);
  if (url && (flags.length > 0 || headers))
    return { tool: emitCalledTool(definition, { name, ...described, url: textOf(url), textOf }, place, context), name };
  const plan = emitResponsePlan(definition, flags, context);
  if (!url) {
    const parameters = emitParameters(definition.parameters, path, losses);
    return { tool: { type: "function", function: { name, ...described, parameters }, ...plan }, name };
  }
  const schema = definition.parameters && { type: "object", ...definition.parameters };
  const body = schema ? { body: emitSchema(schema, path, losses) } : {};
  const called = { method: "POST", ...request, url: textOf(url) } as const;
  return { tool: { type: "apiRequest", name, ...called, ...described, ...body, ...plan }, name };
}

/** Reports what the graph says of a tool and Vapi's own JSON of it, which is emitted, does not. */
function reportReplaced(definition: ToolDefinition, tool: JsonObject, path: Path, losses: LossList): void {
  const text = JSON.stringify(tool);
  const has = (name: string) => text.includes(JSON.stringify(name).slice(1, -1));
  const { type, url, parameters, response_variables: variables } = definition;
  const plan = JSON.stringify(recordAt(tool, "variableExtractionPlan"));
  const isOwn = ["apiRequest", "function", "code"].includes(String(tool.type));
  const isHeld = {
    type: !isOwn || [undefined, null, "custom", "function", tool.type].includes(type),
    url: has(url ?? ""),
    parameters: Object.keys(recordAt({ ...parameters }, "properties")).every(has),
    response_variables: Object.entries(variables ?? {}).every(([name, at]) => plan.includes(name) || plan.includes(at)),
  };
  for (const [key, holds] of Object.entries(isHeld)) {
    const message = `The tool "${definition.name}" has Vapi's own JSON, which does not have its ${key}`;
    const hint = "Set it in metadata.vapi of the tool, or remove that JSON";
    if (!holds) losses.add("tool-dropped", [...path, key], { kind: "dropped", message, hint });
  }
}

/** Keys that a type of tool does not have at Vapi, which names its tools and describes their arguments itself. */
const UNUSED_KEYS: { readonly [type: string]: readonly (keyof ToolDefinition)[] } = {
  end_call: ["description", "parameters", "url", "response_variables"],
  dtmf: ["description", "parameters", "url", "response_variables"],
  press_digit: ["description", "parameters", "url", "response_variables"],
  transfer_call: ["description", "parameters", "url", "response_variables"],
};

/** Returns the keys of a tool that Vapi's tool of its type does not have. */
function unusedKeys(definition: ToolDefinition): readonly string[] {
  const properties = Object.keys(recordAt({ ...definition.parameters }, "properties"));
  // the keys to press are the argument of Vapi's own tool
  const isImplied = properties.every((name) => definition.type !== "end_call" && name === "digits");
  // it describes the destination
  const isSaid = definition.type === "transfer_call" && destinationsFor(definition).length > 0;
  const used = [...(isImplied ? ["parameters"] : []), ...(isSaid ? ["description"] : [])];
  return (own(UNUSED_KEYS, definition.type ?? "") ?? []).filter(
    (key) => !isEmpty(definition[key]) && !used.includes(key),
  );
}

/** Emits aliases for the variables that a tool's result sets, and for its outcome. */
function emitResponsePlan(definition: ToolDefinition, flags: readonly string[], context: EmitContext) {
  const aliases = [
    ...sortedEntries(definition.response_variables ?? {}).map(([name, at]) => ({
      key: context.variables.emitted(name),
      value: `{{${at.startsWith("$") ? at : `$.${at}`}}}`,
    })),
    ...flags.map((key) => ({ key, value: "succeeded" })),
  ];
  return aliases.length > 0 ? { variableExtractionPlan: { aliases } } : {};
}

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
function fitTool(
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
