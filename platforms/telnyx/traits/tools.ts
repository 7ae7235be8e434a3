import type { JsonObject } from "../../../src/base/values/mod.ts";

/** Types of tools after which the assistant says nothing more, with the graph's types for them. */
export const ENDING_TOOLS: ReadonlyMap<string, "end_call" | "transfer_call"> = new Map([
  ["hangup", "end_call"],
  ["transfer", "transfer_call"],
  ["refer", "transfer_call"],
]);

/** Types of tools of which an assistant can have several. A second tool of any other type is refused (error 10015). */
export const MULTIPLE_TOOLS: readonly string[] = ["function", "webhook", "client_side_tool"];

/** Types of tools whose JSON has a name. Others are called by their type. */
export const NAMED_TOOLS: readonly string[] = [...MULTIPLE_TOOLS, "update_dynamic_variables"];

/** Types of tools whose JSON has a description. */
export const DESCRIBED_TOOLS: readonly string[] = [...NAMED_TOOLS, "hangup", "transfer", "skip_turn", "pay"];

/** What each type of tool needs, with a value that Telnyx accepts. */
export const REQUIRED_OF_TOOL: { readonly [type: string]: JsonObject } = {
  webhook: { url: "", method: "POST" },
  function: {},
  client_side_tool: { parameters: { type: "object", properties: {} } },
  update_dynamic_variables: { updatable_variables: [] },
  hangup: {},
  transfer: { from: "{{telnyx_agent_target}}", targets: [] },
  refer: { targets: [] },
  invite: { from: "{{telnyx_agent_target}}" },
  handoff: { ai_assistants: [] },
  send_dtmf: {},
  send_message: {},
  skip_turn: {},
  pay: { connector_name: "" },
  retrieval: { bucket_ids: [] },
  check_availability: {},
  book_appointment: {},
  mcp_server: {},
};

/** Telnyx's types by their names in the graph and on other platforms. */
export const SAME_TOOLS: { readonly [type: string]: string } = {
  custom: "webhook",
  apiRequest: "webhook",
  end_call: "hangup",
  endCall: "hangup",
  transfer_call: "transfer",
  transferCall: "transfer",
  press_digit: "send_dtmf",
  dtmf: "send_dtmf",
  sms: "send_message",
  send_sms: "send_message",
};

/** Settings of a transfer tool. A transfer node can have them, too. */
export const TRANSFER_KEYS: readonly string[] = [
  ...["targets", "from", "custom_headers", "diversion", "voicemail_detection", "description"],
  ...["warm_transfer_instructions", "warm_message_delay_ms", "warm_transfer_acceptance"],
];

/** Where a webhook's arguments go, in the order in which they are read. */
export const ARGUMENT_PLACES = ["path_parameters", "query_parameters", "body_parameters"] as const;

/** Methods of a webhook. */
export const METHODS: readonly string[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];
