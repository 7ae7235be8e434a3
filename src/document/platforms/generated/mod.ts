// Written by `npm run docs` from the records of the platforms.
import type { PlatformData } from "../data.ts";

/** A platform that flows have options for: the first word of a format. */
export type PlatformName = "retell" | "vapi";

/** Names of the platforms. */
export const PLATFORM_NAMES: readonly PlatformName[] = ["retell", "vapi"];

/** A format that can be deployed. */
export type DeployFormat = "retell" | "retell-llm" | "vapi-squad" | "vapi-assistant";

/** Formats that can be deployed. */
export const DEPLOY_FORMATS: readonly DeployFormat[] = ["retell", "retell-llm", "vapi-squad", "vapi-assistant"];

/** What is known of each platform as data. */
export const PLATFORM_DATA: { readonly [Name in PlatformName]: PlatformData } = {
  retell: {"title":"Retell","keyVariable":"RETELL_API_KEY","voiceKind":"text","publishes":true,"readsCalls":true,"words":{"voice":"a voice id","voiceDoc":"Retell's voice id, such as `11labs-Adrian`.","settings":"Retell's flow or LLM, and of its agent under agent","groups":"the components of a Retell flow"},"keys":{"nodeIds":["default_next_node_id","destination_node_id","destination_state_name","of","start_node_id","starting_state"],"variables":{"maps":["default_dynamic_variables","response_variables","retell_llm_dynamic_variables"],"filled":["variables"],"names":["left","name"],"lists":["equations"]},"nodeGroup":["component","of"],"savedNode":{"ids":[],"unless":[]},"reentryLimit":"cool_down","testCases":{"own":["test_case_definition_id","response_engine","creation_timestamp","user_modified_timestamp","retell"],"inside":["retell"]},"typed":{"flow":{"model_temperature":"number","begin_after_user_silence_ms":"number","knowledge_base_ids":"texts","tool_call_strict_mode":"boolean","is_transfer_cf":"boolean","flex_mode":"boolean"},"node":{"name":"text","display_position":"point","interruption_sensitivity":"number","speak_during_execution":"boolean","wait_for_result":"boolean","tool_type":["local","shared"],"knowledge_base_ids":"texts","enable_typing_sound":"boolean"}}}},
  vapi: {"title":"Vapi","keyVariable":"VAPI_API_KEY","voiceKind":"object","publishes":false,"readsCalls":true,"words":{"voice":"an object of provider and voiceId","voiceDoc":"Vapi's provider and voice, such as `{ provider: \"11labs\", voiceId: \"sarah\" }`.","settings":"Vapi's squad or assistant","groups":null},"keys":{"nodeIds":["assistantName"],"variables":{"maps":["variableValues"],"filled":["extractVariables","output","variableExtractionPlan"],"names":["key","title"],"lists":["aliases"]},"nodeGroup":null,"savedNode":{"ids":[["home","assistantId"],["assistantId"]],"unless":[["home","assistant"]]},"reentryLimit":null,"testCases":{"own":[],"inside":[]},"typed":{"flow":{},"node":{}}}},
};
