import { isRecord, type JsonObject, records } from "../../../src/base/values/mod.ts";
import { FICTIONAL } from "../../dates.ts";
import type { CallMoment, PlatformTraits } from "../../facts.ts";
import { headersPart, methodPart, timeoutPart } from "../../request_parts.ts";
import { settingsIn } from "../../setting_names.ts";

/** How Telnyx is reached. Connections of scenarios have the same. */
export const TELNYX_CONNECTION = { baseUrl: "https://api.telnyx.com/v2", keyVariable: "TELNYX_API_KEY" } as const;

/** A greeting in place of which a model speaks. An empty one waits for the caller. */
export const GENERATED_GREETING = "<assistant-speaks-first-with-model-generated-message>";

/** Keys that Telnyx's servers add to assistants. Requests with them change nothing. */
export const TELNYX_SERVER_KEYS: readonly string[] = [
  ...["id", "created_at", "version_id", "version_name", "version_created_at", "import_metadata"],
  "related_mission_ids",
];

/** Keys without an effect on calls, besides names and places of other platforms. */
const NO_SETTINGS: readonly string[] = [...TELNYX_SERVER_KEYS, "position", "tags", "description"];

const CONSTANT: { readonly [name: string]: (moment: CallMoment) => string } = {
  telnyx_conversation_channel: () => "phone_call",
  telnyx_conversation_id: ({ callId }) => callId,
  telnyx_agent_target: ({ agentNumber = FICTIONAL.agent }) => agentNumber,
  telnyx_end_user_target: ({ userNumber = FICTIONAL.user }) => userNumber,
  telnyx_current_time: ({ now }) => now.toISOString(),
  call_control_id: ({ callId }) => callId,
};

/** Variables that Telnyx sets in every call. */
export const TELNYX_VARIABLES: readonly string[] = [
  ...Object.keys(CONSTANT),
  ...["telnyx_end_user_target_verified", "telnyx_sip_header_user_to_user", "telnyx_sip_header_diversion"],
  "telnyx_conversation_duration_secs",
];

export const TELNYX_TRAITS: PlatformTraits<"telnyx"> = {
  name: "telnyx",
  title: "Telnyx",
  // an update is a POST, too: it is repeated nowhere
  connection: { ...TELNYX_CONNECTION },
  variables: {
    names: TELNYX_VARIABLES,
    prefixes: [],
    valueOf: (name, moment) => (Object.hasOwn(CONSTANT, name) ? CONSTANT[name]?.(moment) : undefined),
  },
  words: {
    voice: "a voice's name",
    voiceDoc: "Telnyx's name of a voice, such as `Telnyx.KokoroTTS.af`.",
    settings: "Telnyx's assistant",
    groups: null,
  },
  keys: {
    nodeIds: ["node_id", "start_node_id"],
    variables: {
      maps: ["dynamic_variables"],
      filled: ["updatable_variables", "store_fields_as_variables"],
      names: ["name"],
      lists: [],
    },
    nodeGroup: null,
    savedNode: { ids: [["assistant_id"]], unless: [] },
    reentryLimit: null,
    testCases: { own: ["test_id", "created_at", "telnyx"], inside: ["telnyx"] },
    typed: { flow: {}, node: { name: "text", position: "point", model: "text" } },
  },
  serverKeys: TELNYX_SERVER_KEYS,
  destinations: {
    places: [["targets"]],
    toolTypes: ["transfer", "refer", "invite"],
    isPlaceless: ({ assistant_id: id }) => typeof id === "string",
  },
  requests: { toolTypes: ["webhook"], read: readRequest },
  settingNames: (settings) => settingsIn(settings, NO_SETTINGS, ["agent"]),
  toolSettingNames: (settings) => settingsIn(settings, [...NO_SETTINGS, "type"], ["around"]),
};

/** The request in the settings of a webhook. Its headers are a list; one with a secret of Telnyx is no text for others. */
function readRequest({ method, around, headers }: JsonObject) {
  const list = records(headers).filter(({ name, value }) => typeof name === "string" && typeof value === "string");
  const isPlain = Array.isArray(headers) && list.length === headers.length;
  return [
    ...methodPart("method", method),
    ...timeoutPart("timeout_ms", isRecord(around) ? around.timeout_ms : undefined),
    ...headersPart("headers", isPlain ? Object.fromEntries(list.map(({ name, value }) => [name, value])) : headers),
  ];
}

export { inOrder, wordsOf } from "./messages.ts";
export { LANGUAGES, MODELS } from "./names.ts";
export {
  ARGUMENT_PLACES,
  DESCRIBED_TOOLS,
  ENDING_TOOLS,
  METHODS,
  MULTIPLE_TOOLS,
  NAMED_TOOLS,
  REQUIRED_OF_TOOL,
  SAME_TOOLS,
  TRANSFER_KEYS,
} from "./tools.ts";
