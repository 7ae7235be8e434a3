import type { JsonObject } from "../../../src/values/mod.ts";

/** Retell's kinds of tools: what each requires beside its name, with what is written where the graph has nothing. */
export const TOOL_KINDS: { readonly [type: string]: JsonObject } = {
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
  extract_dynamic_variable: { variables: [] },
  bridge_transfer: {},
  cancel_transfer: {},
  mcp: {},
};

/** Kinds that Retell wants a description of, be it empty. */
export const DESCRIBED_KINDS: readonly string[] = ["extract_dynamic_variable", "mcp"];
