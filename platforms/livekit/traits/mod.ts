import type { PlatformTraits } from "../../facts.ts";
import { headersPart, methodPart, timeoutPart } from "../../request_parts.ts";
import { settingsIn } from "../../setting_names.ts";

export const LIVEKIT_TRAITS: PlatformTraits<"livekit"> = {
  name: "livekit",
  title: "LiveKit Agents",
  connection: { baseUrl: "http://localhost:7880", keyVariable: "LIVEKIT_API_KEY" },
  variables: { names: [], prefixes: [], valueOf: () => undefined },
  words: {
    voice: "a model of LiveKit Inference with a voice",
    voiceDoc: "A model of LiveKit Inference with a voice, such as `cartesia/sonic-3:ID`.",
    settings: "LiveKit's session",
    groups: null,
  },
  keys: {
    nodeIds: [],
    variables: { maps: [], filled: [], names: [], lists: [] },
    nodeGroup: null,
    savedNode: { ids: [], unless: [] },
    reentryLimit: null,
    testCases: { own: [], inside: [] },
    typed: { flow: {}, node: { llm: "text", stt: "text", tts: "text" } },
  },
  serverKeys: [],
  destinations: { places: [["destination"]], toolTypes: ["transfer_call"], isPlaceless: () => false },
  requests: {
    toolTypes: ["custom"],
    read: ({ method, headers, timeout_seconds: seconds }) => [
      ...methodPart("method", method),
      ...headersPart("headers", headers),
      ...timeoutPart("timeout_seconds", typeof seconds === "number" ? seconds * 1_000 : undefined),
    ],
  },
  settingNames: (settings) => settingsIn(settings, [], ["session"]),
  toolSettingNames: (settings) => settingsIn(settings, []),
};
