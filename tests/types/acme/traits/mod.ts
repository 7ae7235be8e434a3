import type { PlatformTraits } from "../../../../platforms/facts.ts";
import { headersPart, methodPart, timeoutPart } from "../../../../platforms/request_parts.ts";
import { settingsIn } from "../../../../platforms/setting_names.ts";

const SERVER_KEYS: readonly string[] = ["id", "revision"];

export const ACME_TRAITS: PlatformTraits<"acme"> = {
  name: "acme",
  title: "Acme",
  connection: {
    baseUrl: "https://api.acme.test",
    keyVariable: "ACME_API_KEY",
    authentication: { header: "x-acme-key" },
    repeatable: ["PATCH", "DELETE"],
  },
  variables: {
    names: ["acme_caller"],
    prefixes: [],
    valueOf: (name, { userNumber = "+12025550143" }) => (name === "acme_caller" ? userNumber : undefined),
  },
  words: {
    voice: "a voice's name",
    voiceDoc: "Name of Acme's voice, such as `Ada`.",
    settings: "Acme's agent",
    groups: null,
  },
  keys: {
    nodeIds: ["step"],
    variables: { maps: [], filled: [], names: [], lists: [] },
    nodeGroup: null,
    savedNode: { ids: [], unless: [] },
    reentryLimit: null,
    testCases: { own: [], inside: [] },
    typed: { flow: {}, node: {} },
  },
  serverKeys: SERVER_KEYS,
  destinations: { places: [["destination"]], toolTypes: ["transfer"], isPlaceless: () => false },
  requests: {
    toolTypes: ["request"],
    read: ({ method, seconds, headers }) => [
      ...methodPart("method", method),
      ...timeoutPart("seconds", typeof seconds === "number" ? seconds * 1_000 : undefined),
      ...headersPart("headers", headers),
    ],
  },
  settingNames: (settings) => settingsIn(settings, SERVER_KEYS, ["agent"]),
  toolSettingNames: (settings) => settingsIn(settings, SERVER_KEYS),
};
