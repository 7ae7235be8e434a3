import { isRecord, isTextMap, isTexts, type JsonObject, omit, own, recordAt } from "../../../src/base/values/mod.ts";
import { type Field, readFields } from "./fields.ts";
import { requiredDefaults, retellTables } from "./tables.ts";
import { isString } from "./values.ts";

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

/** Whether a setting has the type of its default. An event's id is a number, or a text with a variable in it. */
function isLike(key: string, value: unknown, example: unknown): boolean {
  return typeof value === typeof example || (key === "event_type_id" && typeof value === "number");
}

/** Completes a schema of arguments, which must be an object. */
function objectSchema(schema: JsonObject): JsonObject {
  const kept = omit(schema, Array.isArray(schema.required) ? [] : ["required"]);
  return { ...kept, type: "object", properties: recordAt(schema, "properties") };
}
