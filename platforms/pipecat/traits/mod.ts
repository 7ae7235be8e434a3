import type { PlatformTraits } from "../../facts.ts";
import { settingsIn } from "../../setting_names.ts";

/** Pipecat has no server: a flow is a file of the user's program. */
const SERVER_KEYS: readonly string[] = [];

export const PIPECAT_TRAITS: PlatformTraits<"pipecat"> = {
  name: "pipecat",
  title: "Pipecat",
  connection: { baseUrl: "http://localhost:7860", keyVariable: "PIPECAT_API_KEY" },
  variables: { names: [], prefixes: [], valueOf: () => undefined },
  words: {
    voice: "no voice, because the program chooses it",
    voiceDoc: "A flow of Pipecat has no voice: the program chooses it.",
    settings: "Pipecat's flow or node",
    groups: null,
  },
  keys: {
    nodeIds: ["transition_to", "next_node_id", "default_next_node_id", "default", "initial_node"],
    variables: { maps: [], filled: [], names: [], lists: [] },
    nodeGroup: null,
    savedNode: { ids: [], unless: [] },
    reentryLimit: null,
    testCases: { own: [], inside: [] },
    typed: {
      flow: {},
      node: {
        role_message: "text",
        context_strategy: ["append", "reset"],
        respond_immediately: "boolean",
      },
    },
  },
  serverKeys: SERVER_KEYS,
  destinations: { places: [["transfer_destination"]], toolTypes: [], isPlaceless: () => false },
  requests: { toolTypes: [], read: () => [] },
  settingNames: (settings) => settingsIn(settings, SERVER_KEYS),
  toolSettingNames: (settings) => settingsIn(settings, SERVER_KEYS),
};
