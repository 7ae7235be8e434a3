import type { PlatformKeys, PlatformWords } from "../../../src/document/platforms/mod.ts";

/** What Retell's settings are called. */
export const RETELL_WORDS: PlatformWords = {
  voice: "a voice id",
  voiceDoc: "Retell's voice id, such as `11labs-Adrian`.",
  settings: "Retell's flow or LLM, and of its agent under agent",
  groups: "the components of a Retell flow",
};

/** Keys of Retell's settings that mean something to code for all platforms. */
export const RETELL_KEYS: PlatformKeys = {
  nodeIds: [
    ...["default_next_node_id", "destination_node_id", "destination_state_name", "of", "start_node_id"],
    "starting_state",
  ],
  variables: {
    maps: ["default_dynamic_variables", "response_variables", "retell_llm_dynamic_variables"],
    filled: ["variables"],
    names: ["left", "name"],
    lists: ["equations"],
  },
  nodeGroup: ["component", "of"],
  savedNode: { ids: [], unless: [] },
  reentryLimit: "cool_down",
  testCases: {
    own: ["test_case_definition_id", "response_engine", "creation_timestamp", "user_modified_timestamp", "retell"],
    inside: ["retell"],
  },
  typed: {
    flow: {
      model_temperature: "number",
      begin_after_user_silence_ms: "number",
      knowledge_base_ids: "texts",
      tool_call_strict_mode: "boolean",
      is_transfer_cf: "boolean",
      flex_mode: "boolean",
    },
    node: {
      name: "text",
      display_position: "point",
      interruption_sensitivity: "number",
      speak_during_execution: "boolean",
      wait_for_result: "boolean",
      tool_type: ["local", "shared"],
      knowledge_base_ids: "texts",
      enable_typing_sound: "boolean",
    },
  },
};
