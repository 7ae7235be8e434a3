import type { Path } from "../../src/errors.ts";
import { type JsonObject, own, type ToolDefinition } from "../../src/graph/mod.ts";
import type { EmitContext } from "./emit_context.ts";
import { loss } from "./losses.ts";

/** What Retell requires of each kind of tool beside its name, with what is written where the graph has nothing. */
const REQUIRED: { readonly [type: string]: JsonObject } = {
  custom: { url: "" },
  check_availability_cal: { cal_api_key: "", event_type_id: "" },
  book_appointment_cal: { cal_api_key: "", event_type_id: "" },
  end_call: {},
  transfer_call: {
    transfer_destination: { type: "predefined", number: "" },
    transfer_option: { type: "cold_transfer", show_transferee_as_caller: false },
  },
  agent_swap: { agent_id: "", post_call_analysis_setting: "both_agents" },
  press_digit: {},
  send_sms: { sms_content: { type: "inferred", prompt: "" } },
  code: { code: "" },
  extract_dynamic_variable: { description: "", variables: [] },
  bridge_transfer: {},
  cancel_transfer: {},
  mcp: { description: "" },
};

/** A tool that did not come from Retell, made one of Retell's; a tool that did is left as it is. */
export function completeTool(
  tool: JsonObject,
  definition: ToolDefinition,
  { foreign, lose }: EmitContext,
  path: Path,
  kinds: readonly string[] = Object.keys(REQUIRED),
): JsonObject {
  if (!foreign) return tool;
  const named = definition.type ?? "custom";
  const type = kinds.includes(named) ? named : "custom";
  if (type !== named && named !== "function") lose(loss("tool-type", path, named));
  if (type === "custom" && !tool.url) lose(loss("tool-url", path, definition.name));
  const parameters = type === "custom" ? parametersOf(tool.parameters) : {};
  return { ...own(REQUIRED, type), ...tool, type, ...parameters };
}

/** Retell wants an object schema with properties, or none at all. */
function parametersOf(parameters: unknown): JsonObject {
  if (typeof parameters !== "object" || parameters === null) return {};
  return { parameters: { properties: {}, ...parameters, type: "object" } };
}
