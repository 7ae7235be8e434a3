import { type JsonObject, own } from "../../../src/values/mod.ts";
import { type KeyTable, retellTables } from "./tables.ts";

/** What is written for a key that Retell requires and a graph says nothing of. */
const DEFAULTS: JsonObject = {
  agent_id: "",
  cal_api_key: "",
  code: "",
  component_id: "",
  component_type: "local",
  event_type_id: "",
  instruction: { type: "prompt", text: "" },
  mcp_id: "",
  mcp_tool_name: "",
  post_call_analysis_setting: "both_agents",
  sms_content: { type: "inferred", prompt: "" },
  tool_id: "",
  tool_type: "local",
  transfer_destination: { type: "predefined", number: "" },
  transfer_option: { type: "cold_transfer", show_transferee_as_caller: false },
  url: "",
  variables: [],
  wait_for_result: true,
};

/** The keys that Retell requires of a node or a tool and that have a default, with it. */
export function requiredDefaults({ required }: KeyTable): JsonObject {
  return Object.fromEntries(required.flatMap((key) => (Object.hasOwn(DEFAULTS, key) ? [[key, DEFAULTS[key]]] : [])));
}

/** Retell's kinds of tools. */
export const toolKinds = (): readonly string[] => Object.keys(retellTables().tools);

/**
 * What Retell requires of a tool beside its name, with defaults; nothing for a kind that it does not have.
 *
 * @returns `described`: whether the tool needs a description, be it empty.
 */
export function toolDefaults(type: string): { readonly settings: JsonObject; readonly described: boolean } {
  const table = own(retellTables().tools, type);
  if (!table) return { settings: {}, described: false };
  return { settings: requiredDefaults(table), described: table.required.includes("description") };
}
