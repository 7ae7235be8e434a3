import { isRecord, isTextMap, type JsonObject, recordAt } from "../../../src/base/values/mod.ts";
import type { PlatformKeys, PlatformWords } from "../../../src/document/platforms/mod.ts";
import type { CallMoment, PlatformTraits, VariableTraits } from "../../facts.ts";
import { headersPart, methodPart } from "../../request_parts.ts";
import { settingsIn } from "../../setting_names.ts";

export {
  type Comparison,
  comparisonOf,
  isUnconditional,
  listOf,
  outcomeOf,
  type Row,
  readClause,
  readRow,
  STATUS,
  toolRows,
  writeClause,
  writeRow,
} from "./conditions.ts";
export { isTransferType, type NodeFacts, nodeFacts, SILENT, typeOfNode } from "./nodes.ts";

/** Where Bland answers, and how it is shown the key: the header is the key. */
export const BLAND_CONNECTION = {
  baseUrl: "https://us.api.bland.ai",
  keyVariable: "BLAND_API_KEY",
  keyHeader: "authorization",
} as const;

/** Keys that Bland's servers add to what they return. */
const SERVER_KEYS: readonly string[] = [
  ...["pathway_id", "version_number", "revision_number", "created_at", "updated_at", "published_at"],
  ...["is_prod_published", "is_staging_published", "source_version_number", "user_id"],
];

const VALUES: { readonly [name: string]: (moment: CallMoment) => string } = {
  now_utc: ({ now }) => now.toISOString(),
  from: ({ userNumber = "+12025550143", agentNumber = "+12025550199", direction = "inbound" }) =>
    direction === "inbound" ? userNumber : agentNumber,
  to: ({ userNumber = "+12025550143", agentNumber = "+12025550199", direction = "inbound" }) =>
    direction === "inbound" ? agentNumber : userNumber,
  call_id: ({ callId }) => callId,
};

const VARIABLES: VariableTraits = {
  names: ["lastUserMessage", "prevNodePrompt", "now_utc", "from", "to", "call_id", "voice_id"],
  prefixes: [],
  valueOf: (name, moment) => (Object.hasOwn(VALUES, name) ? VALUES[name]?.(moment) : undefined),
};

const WORDS: PlatformWords = {
  voice: "a voice's name or id",
  voiceDoc: "Name or id of Bland's voice, such as `josh`. Calls have it, not pathways.",
  settings: "Bland's pathway",
  groups: null,
};

const KEYS: PlatformKeys = {
  nodeIds: ["forwardingNode", "targetNodeId", "fallbackNodeId", "nodeId", "targetId"],
  variables: { maps: ["request_data"], filled: [], names: ["field", "variable"], lists: ["routes", "conditions"] },
  nodeGroup: null,
  savedNode: { ids: [], unless: [] },
  reentryLimit: null,
  testCases: { own: ["id", "pathway_id", "created_at", "updated_at", "bland"], inside: ["bland"] },
  typed: { flow: { description: "text" }, node: { name: "text", condition: "text", forwardingNode: "text" } },
};

export const BLAND_TRAITS: PlatformTraits<"bland"> = {
  name: "bland",
  title: "Bland",
  connection: {
    baseUrl: BLAND_CONNECTION.baseUrl,
    keyVariable: BLAND_CONNECTION.keyVariable,
    authentication: { header: BLAND_CONNECTION.keyHeader },
  },
  variables: VARIABLES,
  words: WORDS,
  keys: KEYS,
  serverKeys: SERVER_KEYS,
  destinations: {
    places: [["destination"]],
    toolTypes: ["transfer_call"],
    isPlaceless: ({ type }) => type === "Transfer Pathway",
  },
  requests: {
    toolTypes: ["webhook"],
    // the unit of a time limit is not in the document: seconds in some, milliseconds in others
    read: (settings) => {
      // a webhook has its request in its data, a tool of a node in its configuration
      const { method, headers } = { ...recordAt(settings, "config"), ...settings };
      return [...methodPart("method", method), ...headersPart("headers", headersOf(headers))];
    },
  },
  settingNames: (settings) => settingsIn(settings, SERVER_KEYS, ["modelOptions", "call"]),
  toolSettingNames: (settings) => {
    const isFilled = (key: string) => !isRecord(settings[key]) || Object.keys(settings[key]).length > 0;
    return settingsIn(settings, SERVER_KEYS, ["config"]).filter(isFilled);
  },
};

/** Headers as an object; exports of the dashboard have pairs. */
function headersOf(headers: unknown): JsonObject | undefined {
  if (isTextMap(headers)) return headers;
  const pairs: readonly unknown[] = Array.isArray(headers) ? headers : [];
  const isPair = (pair: unknown): pair is [string, string] =>
    Array.isArray(pair) && pair.length === 2 && pair.every((each) => typeof each === "string");
  return pairs.length > 0 && pairs.every(isPair) ? Object.fromEntries(pairs) : undefined;
}
