import type { PlatformTraits } from "../../facts.ts";
import { settingsIn } from "../../setting_names.ts";
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
  serverKeys: RETELL_SERVER_KEYS,
  destinations: {
    places: [["transfer_destination"]],
    toolTypes: ["transfer_call"],
    isPlaceless: ({ type }) => PLACELESS.includes(type),
  },
  settingNames: (settings) => settingsIn(settings, RETELL_SERVER_KEYS, ["agent", "rest"]),
  toolSettingNames: (settings) => settingsIn(settings, RETELL_SERVER_KEYS),
};
