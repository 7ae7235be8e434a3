import { FICTIONAL } from "../../dates.ts";
import type { CallMoment, PlatformTraits, VariableTraits } from "../../facts.ts";
import { settingsIn } from "../../setting_names.ts";
import { readRequest } from "./destinations.ts";
import { OWNER } from "./metadata.ts";

export { digitsOf, REQUEST, readDestination, writeDestination } from "./destinations.ts";
export {
  editedTree,
  isQuestion,
  MERGED,
  outcomeWords,
  readCondition,
  type TypeOfVariable,
  writeTree,
} from "./expressions.ts";
export { filled, lensOf, OWNER, settingsOf } from "./metadata.ts";
export { readTool, systemTool, writeTool } from "./tools.ts";

/**
 * Keys that the servers add to an agent: ids, versions and dates. `access_info` has a person's name and e-mail address,
 * and is kept nowhere but in the file that a user imports.
 */
export const ELEVENLABS_SERVER_KEYS: readonly string[] = [
  ...["agent_id", "version_id", "branch_id", "main_branch_id", "metadata", "access_info"],
  ...["phone_numbers", "whatsapp_accounts", "procedure_versions"],
];

const VALUES: { readonly [name: string]: (moment: CallMoment) => string } = {
  system__caller_id: ({ userNumber = FICTIONAL.user }) => userNumber,
  system__called_number: ({ agentNumber = FICTIONAL.agent }) => agentNumber,
  system__conversation_id: ({ callId }) => callId,
  system__time_utc: ({ now }) => now.toISOString(),
  system__timezone: ({ timeZone = "UTC" }) => timeZone,
};

/**
 * Variables that ElevenLabs sets in every call.
 *
 * @see https://elevenlabs.io/docs/agents-platform/customization/personalization/dynamic-variables
 */
const VARIABLES: VariableTraits = {
  names: [
    ...["system__agent_id", "system__current_agent_id", "system__caller_id", "system__called_number"],
    ...["system__call_sid", "system__call_duration_secs", "system__conversation_id", "system__time_utc"],
    ...["system__time", "system__timezone"],
  ],
  prefixes: [],
  valueOf: (name, moment) => (Object.hasOwn(VALUES, name) ? VALUES[name]?.(moment) : undefined),
};

export const ELEVENLABS_TRAITS: PlatformTraits<"elevenlabs"> = {
  name: OWNER,
  title: "ElevenLabs",
  connection: {
    baseUrl: "https://api.elevenlabs.io",
    keyVariable: "ELEVENLABS_API_KEY",
    authentication: { header: "xi-api-key" },
  },
  variables: VARIABLES,
  words: {
    voice: "a voice id",
    voiceDoc: "ElevenLabs' voice id, such as `cjVigY5qzO86Huf0OWal`.",
    settings: "ElevenLabs' agent, such as conversation_config and platform_settings",
    groups: null,
  },
  keys: {
    nodeIds: [],
    variables: {
      maps: ["dynamic_variable_placeholders"],
      filled: [],
      names: ["dynamic_variable"],
      lists: ["assignments"],
    },
    nodeGroup: null,
    savedNode: { ids: [], unless: [] },
    reentryLimit: null,
    testCases: { own: ["id", "type", "elevenlabs"], inside: [OWNER] },
    typed: { flow: {}, node: { label: "text", entry_behavior: ["auto", "generate_immediately", "wait_for_user"] } },
  },
  serverKeys: ELEVENLABS_SERVER_KEYS,
  destinations: {
    places: [["transfer_destination"], ["transfers"]],
    toolTypes: ["transfer_call"],
    isPlaceless: ({ type }) => type === "standalone_agent",
  },
  requests: { toolTypes: ["webhook", "custom"], read: readRequest },
  settingNames: (settings) => settingsIn(settings, ELEVENLABS_SERVER_KEYS, ["agent", "conversation_config"]),
  toolSettingNames: (settings) => settingsIn(settings, [...ELEVENLABS_SERVER_KEYS, "tool_id"], ["api_schema"]),
};
