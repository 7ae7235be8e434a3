import type { Path } from "../../../src/base/errors.ts";
import {
  defined,
  isRecord,
  isTextMap,
  isTexts,
  type JsonObject,
  omit,
  own,
  recordAt,
} from "../../../src/base/values/mod.ts";
import type { AgentGraph, AgentNode, ToolDefinition } from "../../../src/document/graph/mod.ts";
import type { RequestWriter } from "../../facts.ts";
import { carriedRequest, foreignSettings, foreignToolSettings, requestSettings } from "../../known/mod.ts";
import type { Loss } from "../../platform.ts";
import {
  type Field,
  isString,
  LLM_OWNER,
  OWNER,
  ownKeys,
  readFields,
  requiredDefaults,
  retellTables,
  textVariables,
} from "./fields.ts";

/** The losses of a format by code, each with a hint if there is something to change. */
export type LossTable<Code extends string> = {
  readonly [code in Code]: readonly [kind: Loss["kind"], hint?: string];
};

/** Collects losses, each once. */
export interface Losses<Code extends string> {
  readonly add: (code: Code, path: Path, message: string, instead?: string) => void;
  readonly all: () => readonly Loss[];
}

/** Starts an empty list of losses. */
export function createLosses<Code extends string>(table: LossTable<Code>): Losses<Code> {
  const found = new Map<string, Loss>();
  return {
    add: (code, path, message, instead) => {
      const [kind, hint] = table[code];
      const key = JSON.stringify([code, path, message]);
      if (!found.has(key)) found.set(key, defined({ code, kind, path, message, instead, hint }));
    },
    all: () => [...found.values()],
  };
}

/** Reports the settings of other platforms in a graph, its nodes and their tools. */
export function loseForeignSettings(graph: AgentGraph, { add }: Losses<"foreign-settings">) {
  for (const { path, names } of foreignSettings(graph, [OWNER, LLM_OWNER]))
    add("foreign-settings", path, `Retell does not support settings of another platform: ${names.join(", ")}`);
  for (const { path, names, tool } of foreignToolSettings(graph, [OWNER, LLM_OWNER], RETELL_REQUEST))
    add("foreign-settings", path, `Retell does not support settings of the tool "${tool.name}": ${names.join(", ")}`);
}

/** Reports dynamic variables with a value that is not text. */
export function loseVariableTypes(variables: JsonObject, path: Path, { add }: Losses<"variable-as-text">): void {
  for (const [name, text] of Object.entries(textVariables(variables)))
    if (text !== variables[name])
      add("variable-as-text", [...path, name], "Retell's variables must be text", JSON.stringify(text));
}

/** @see https://docs.retellai.com/api-references/create-retell-llm (field `general_tools.method`) */
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];
/** @see https://docs.retellai.com/api-references/create-retell-llm (field `general_tools.timeout_ms`) */
const [LEAST_MS, MOST_MS] = [1_000, 600_000];

/** How a custom tool of Retell has the parts of a request. */
const RETELL_REQUEST: RequestWriter = {
  method: (method) => (METHODS.includes(method) ? { method } : undefined),
  timeoutMs: (timeout) => (timeout >= LEAST_MS && timeout <= MOST_MS ? { timeout_ms: timeout } : undefined),
  headers: (headers) => ({ headers }),
};

/** Puts the requests of other platforms' tools into Retell's settings of the tools. Retell's own take precedence. */
export function withRequests(graph: AgentGraph): AgentGraph {
  const nodes = Object.entries(graph.nodes).map(([id, node]) => {
    const tools = node.tools.map((tool) => {
      const parts = carriedRequest(tool, OWNER, RETELL_REQUEST);
      if (parts.length === 0) return tool;
      return { ...tool, metadata: { ...tool.metadata, [OWNER]: { ...requestSettings(parts), ...ownKeys(tool) } } };
    });
    return [id, { ...node, tools }] as const;
  });
  return { ...graph, nodes: Object.fromEntries(nodes) };
}

/** Fields of a tool of a flow or an LLM. */
export const TOOL_FIELDS: readonly Field[] = [
  { graph: "name", fits: isString },
  { graph: "type", fits: isString },
  { graph: "description", fits: isString, fallback: "" },
  { graph: "parameters", fits: isRecord },
  { graph: "url", fits: isString },
  { graph: "tool_id", fits: isString },
  { graph: "response_variables", fits: isTextMap },
];

/**
 * Reads a tool. An unnamed tool is named by its id or type.
 *
 * @param isInline Whether it is part of a flow's node. Its id then does not refer to a tool of the flow.
 */
export function readRetellTool(tool: JsonObject, isInline = false): JsonObject {
  const name = [tool.tool_id, tool.type].find((each) => isString(each) && each !== "") ?? "tool";
  const fields = isInline ? TOOL_FIELDS.filter(({ graph }) => graph !== "tool_id") : TOOL_FIELDS;
  return readFields(isString(tool.name) ? tool : { ...tool, name }, fields);
}

/** Fields of a variable that a node or a tool extracts. */
export const VARIABLE_FIELDS: readonly Field[] = [
  { graph: "name", fits: isString },
  { graph: "description", fits: isString, fallback: "" },
  { graph: "type", fits: isString, fallback: "string" },
  { graph: "choices", fits: isTexts },
];

/** Retell's tool types by their names on other platforms. */
const SAME_TYPES: { readonly [type: string]: string } = {
  apiRequest: "custom",
  dtmf: "press_digit",
  endCall: "end_call",
  function: "custom",
  sms: "send_sms",
  transferCall: "transfer_call",
};

/**
 * Completes a tool that was not imported from Retell: adds the settings that Retell requires for its type.
 *
 * @param types Supported types. Default: all types of Retell.
 * @returns `isKnown`: whether the type is supported; if not, the tool becomes a custom one. `missing`: required
 * settings that were added with their defaults.
 */
export function completeTool(tool: JsonObject, types: readonly string[] = Object.keys(retellTables().tools)) {
  const named = own(SAME_TYPES, String(tool.type ?? "custom")) ?? tool.type;
  const isKnown = isString(named) && types.includes(named);
  const type = isKnown ? named : "custom";
  const table = own(retellTables().tools, type) ?? { keys: [], required: [] };
  const defaults = Object.entries(requiredDefaults(table));
  const missing = Object.fromEntries(defaults.filter(([key, value]) => !isLike(key, own(tool, key), value)));
  const described = table.required.includes("description") ? { description: "" } : {};
  const parameters = type === "custom" && isRecord(tool.parameters) ? objectSchema(tool.parameters) : undefined;
  const completed = { ...described, ...tool, ...missing, type, ...(parameters ? { parameters } : {}) };
  return { tool: completed, isKnown, missing };
}

/**
 * Whether another platform runs a tool itself: it has a type that Retell lacks, no server to ask and no arguments, and
 * none of the nodes that have it calls it or waits for it. As a custom tool it would have nothing to call.
 */
export function isRunElsewhere({ name, type, url, parameters }: ToolDefinition, nodes: readonly AgentNode[]): boolean {
  if (!isString(type) || url || Object.keys(recordAt({ ...parameters }, "properties")).length > 0) return false;
  const isNeeded = ({ node_type: nodeType, transitions }: AgentNode) =>
    nodeType === "function" ||
    transitions.some(({ condition: { type, value } }) => type === "tool_call" && (!value || value === name));
  const owners = nodes.filter(({ tools }) => tools.some((tool) => tool.name === name));
  return !completeTool({ type }).isKnown && own(SAME_TYPES, type) !== "custom" && !owners.some(isNeeded);
}

/** Whether a setting has the type of its default. An event's id is a number, or a text with a variable in it. */
function isLike(key: string, value: unknown, example: unknown): boolean {
  return typeof value === typeof example || (key === "event_type_id" && typeof value === "number");
}

/** Completes a schema of arguments, which must be an object. */
function objectSchema(schema: JsonObject): JsonObject {
  const kept = omit(schema, Array.isArray(schema.required) ? [] : ["required"]);
  return { ...kept, type: "object", properties: recordAt(schema, "properties") };
}
