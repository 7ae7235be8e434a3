import type { LlmCreateParams } from "retell-sdk/resources/llm";
import type { Path } from "../../../src/errors.ts";
import type { ToolDefinition, VariableExtraction } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject, omit, own } from "../../../src/values/mod.ts";
import { ownKeys, toolDefaults, toolKinds } from "../shared/mod.ts";
import { foreignNumber } from "./foreign_number.ts";
import type { Losses } from "./losses.ts";
import { retellName } from "./names.ts";

/** A tool as an LLM has it. */
export type LlmTool = NonNullable<LlmCreateParams["general_tools"]>[number];

/** Other platforms' names of Retell's kinds. */
const SAME_KINDS: { readonly [type: string]: string } = {
  apiRequest: "custom",
  dtmf: "press_digit",
  endCall: "end_call",
  function: "custom",
  sms: "send_sms",
  transferCall: "transfer_call",
};

/**
 * Writes tools. What came from a Retell LLM goes back as it was; a tool from elsewhere gets what Retell wants of its kind.
 *
 * @param at Where each tool is in the graph, for the losses.
 */
export function emitTool(tool: ToolDefinition, at: Path, losses: Losses, native: boolean): LlmTool {
  const settings = ownKeys(tool.metadata);
  const said: JsonObject = {
    name: tool.name,
    ...(tool.type == null ? {} : { type: tool.type }),
    ...(tool.description === "" ? {} : { description: tool.description }),
    ...(tool.parameters == null ? {} : { parameters: tool.parameters }),
    ...(tool.url == null ? {} : { url: tool.url }),
    ...(tool.tool_id == null ? {} : { tool_id: tool.tool_id }),
    ...(tool.response_variables == null ? {} : { response_variables: tool.response_variables }),
  };
  const written: JsonObject = native
    ? { ...said, ...settings, ...said }
    : complete({ ...said, ...settings, ...said }, tool, at, losses);
  return written as unknown as LlmTool; // what was read from Retell may be newer than the SDK's types
}

function complete(written: JsonObject, tool: ToolDefinition, at: Path, losses: Losses): JsonObject {
  const named = own(SAME_KINDS, tool.type ?? "custom") ?? tool.type;
  const known = typeof named === "string" && toolKinds().includes(named);
  const type = known ? named : "custom";
  if (!known)
    losses.add("tool-kind", at, `Retell has no tool of the kind "${tool.type}"`, 'a tool of the kind "custom"');
  const number = type === "transfer_call" ? foreignNumber(tool.metadata) : undefined;
  const { settings, described } = toolDefaults(type);
  const required = {
    ...settings,
    ...(number === undefined ? {} : { transfer_destination: { type: "predefined", number } }),
  };
  const missing = Object.keys(required).filter((key) => !fits(key, written[key], own(required, key)));
  for (const key of missing) {
    const code = key === "url" ? "tool-url-missing" : "tool-setting-missing";
    losses.add(code, at, `Tool "${tool.name}" has no ${key}`, `${key} ${JSON.stringify(own(required, key))}`);
  }
  const name = retellName(tool.name);
  if (name !== tool.name) losses.add("name-changed", at, `Retell takes no tool named "${tool.name}"`, `"${name}"`);
  return {
    ...omit(written, ["tool_id", ...(type === "custom" ? [] : ["url"])]),
    ...Object.fromEntries(missing.map((key) => [key, own(required, key)])),
    ...(described && tool.description === "" ? { description: "" } : {}),
    ...(type === "custom" && tool.parameters ? { parameters: objectSchema(tool.parameters) } : {}),
    name,
    type,
  };
}

/** An event's id is a number at cal.com, and a text where a variable stands for it. */
function fits(key: string, value: unknown, example: unknown): boolean {
  return typeof value === typeof example || (key === "event_type_id" && typeof value === "number");
}

/** Arguments are an object at Retell, whatever the schema leaves open. */
function objectSchema(schema: JsonObject): JsonObject {
  const properties = typeof schema.properties === "object" && schema.properties !== null ? schema.properties : {};
  const required = Array.isArray(schema.required) ? { required: schema.required } : {};
  return { ...omit(schema, ["required"]), ...required, type: "object", properties };
}

/** A tool that fills variables from what was said. */
export function extractTool(name: string, description: string, variables: readonly VariableExtraction[]): LlmTool {
  return {
    type: "extract_dynamic_variable",
    name: retellName(name),
    description,
    variables: variables.map((variable) => {
      const { name, description, type, choices } = variable;
      const settings = ownKeys(metadataOf({ ...variable }));
      if (choices && choices.length > 0) return { ...settings, name, description, type: "enum", choices: [...choices] };
      return { ...settings, name, description, type: type === "number" || type === "boolean" ? type : "string" };
    }),
  };
}

function metadataOf({ metadata }: JsonObject): JsonObject | undefined {
  return isRecord(metadata) ? metadata : undefined;
}
