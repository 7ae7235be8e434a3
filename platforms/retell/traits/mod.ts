import { isRecord, type JsonObject } from "../../../src/base/values/mod.ts";
import type { PlatformTraits, RequestPart } from "../../facts.ts";
import { headersPart, methodPart, timeoutPart } from "../../request_parts.ts";
import { settingsIn } from "../../setting_names.ts";
import { RETELL_KEYS, RETELL_WORDS } from "./keys.ts";
import { RETELL_VARIABLES } from "./variables.ts";

/** Nodes that transfer without a destination of their own: another agent takes the call, or waits for it. */
const PLACELESS: readonly unknown[] = ["agent_swap", "bridge_transfer"];

/** Keys that Retell's servers add to responses: ids, versions and dates. Requests with them change nothing. */
export const RETELL_SERVER_KEYS: readonly string[] = [
  ...["agent_id", "conversation_flow_id", "llm_id", "version", "base_version", "is_published"],
  ...["last_modification_timestamp", "user_modified_timestamp", "assigned_tags", "channel"],
  ...["conversation_flow_component_id", "linked_conversation_flow_ids"],
];

export const RETELL_TRAITS: PlatformTraits<"retell"> = {
  name: "retell",
  title: "Retell",
  connection: { baseUrl: "https://api.retellai.com", keyVariable: "RETELL_API_KEY" },
  variables: RETELL_VARIABLES,
  words: RETELL_WORDS,
  keys: RETELL_KEYS,
  serverKeys: RETELL_SERVER_KEYS,
  destinations: {
    places: [["transfer_destination"]],
    toolTypes: ["transfer_call"],
    isPlaceless: ({ type }) => PLACELESS.includes(type),
  },
  requests: { toolTypes: ["custom"], read: readRequest },
  settingNames: (settings) => settingsIn(settings, RETELL_SERVER_KEYS, ["agent", "rest"]),
  toolSettingNames: (settings) => {
    const isFilled = (key: string) => !isRecord(settings[key]) || Object.keys(settings[key]).length > 0;
    return settingsIn(settings, RETELL_SERVER_KEYS).filter(isFilled);
  },
};

/** The request in the settings of a custom tool. */
function readRequest({ method, timeout_ms: timeout, headers }: JsonObject): readonly RequestPart[] {
  return [...methodPart("method", method), ...timeoutPart("timeout_ms", timeout), ...headersPart("headers", headers)];
}
