import type { PlatformKeys, PlatformWords } from "../../../src/document/platforms/mod.ts";

/** What Vapi's settings are called. */
export const VAPI_WORDS: PlatformWords = {
  voice: "an object of provider and voiceId",
  voiceDoc: 'Vapi\'s provider and voice, such as `{ provider: "11labs", voiceId: "sarah" }`.',
  settings: "Vapi's squad or assistant",
  groups: null,
};

/** Keys of Vapi's settings that mean something to code for all platforms. */
export const VAPI_KEYS: PlatformKeys = {
  nodeIds: ["assistantName"],
  variables: {
    maps: ["variableValues"],
    filled: ["extractVariables", "output", "variableExtractionPlan"],
    names: ["key", "title"],
    lists: ["aliases"],
  },
  nodeGroup: null,
  savedNode: { ids: [["home", "assistantId"], ["assistantId"]], unless: [["home", "assistant"]] },
  reentryLimit: null,
  testCases: { own: [], inside: [] },
  typed: { flow: {}, node: {} },
};
