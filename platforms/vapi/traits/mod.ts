import { isRecord, type JsonObject, omit, pick, recordAt } from "../../../src/base/values/mod.ts";
import type { PlatformTraits, RequestPart } from "../../facts.ts";
import { headersPart, methodPart, timeoutPart } from "../../request_parts.ts";
import { isNoSetting, settingsIn } from "../../setting_names.ts";
import { VAPI_KEYS, VAPI_WORDS } from "./keys.ts";
import { VAPI_VARIABLES } from "./variables.ts";

export { handoffOutcome, isHandedOff } from "./handed_off.ts";

/** Keys that Vapi's servers add to responses. Imports ignore them, and requests with them are rejected. */
export const VAPI_SERVER_KEYS: readonly string[] = [
  ...["id", "orgId", "createdAt", "updatedAt", "latestVersion", "analyticsMetadata", "isDeleted"],
  ...["isServerUrlSecretSet", "workflowIds"],
];

export const VAPI_TRAITS: PlatformTraits<"vapi"> = {
  name: "vapi",
  title: "Vapi",
  connection: { baseUrl: "https://api.vapi.ai", keyVariable: "VAPI_API_KEY" },
  variables: VAPI_VARIABLES,
  words: VAPI_WORDS,
  keys: VAPI_KEYS,
  serverKeys: VAPI_SERVER_KEYS,
  destinations: {
    places: [["tool", "destination"], ["destination"], ["tool", "destinations"], ["destinations"]],
    toolTypes: ["transferCall"],
    isPlaceless: () => false,
  },
  requests: { toolTypes: ["apiRequest", "function"], read: (settings) => readRequest(vapiToolOf(settings)) },
  settingNames: vapiSettings,
  toolSettingNames: (settings) => toolSettings(vapiToolOf(settings)),
};

/** Settings of a workflow's node that other platforms may lack. */
const WORKFLOW_NODE_SETTINGS = ["model", "voice", "transcriber", "messagePlan"];

/** Keys of tools that the graph models. */
const TOOL_KEYS = ["type", "name", "description", "function", "url", "server", "destinations", "parameters", "list"];

/** Vapi's JSON of a tool: importers keep it under `tool`, authors write it as it is. */
function vapiToolOf(settings: unknown): JsonObject {
  const tool = recordAt({ settings }, "settings");
  return isRecord(tool.tool) ? tool.tool : tool;
}

/** Settings of a tool: those of its request, with `server.` before those of its server. */
function toolSettings(raw: JsonObject): readonly string[] {
  const settings = Object.entries(omit(raw, TOOL_KEYS));
  const ofServer = Object.entries(omit(recordAt(raw, "server"), ["url"])).map(
    ([key, value]) => [`server.${key}`, value] as const,
  );
  return [...settings, ...ofServer].flatMap(([key, value]) =>
    isNoSetting(key, value, VAPI_SERVER_KEYS) || (isRecord(value) && Object.keys(value).length === 0) ? [] : [key],
  );
}

/** The request in the JSON of a tool: an API request has it beside its name, a function under `server`. */
function readRequest(raw: JsonObject): readonly RequestPart[] {
  const server = recordAt(raw, "server");
  return [
    ...methodPart("method", raw.method),
    ...timeoutPart("timeoutSeconds", milliseconds(raw.timeoutSeconds)),
    ...timeoutPart("server.timeoutSeconds", milliseconds(server.timeoutSeconds)),
    ...headersPart("headers", fixedValues(raw.headers)),
    ...headersPart("server.headers", server.headers),
  ];
}

const milliseconds = (seconds: unknown) => (typeof seconds === "number" ? seconds * 1_000 : undefined);

/** The values of a schema whose properties are all fixed texts. Older tools have plain texts. */
function fixedValues(schema: unknown): unknown {
  if (!isRecord(schema) || schema.type !== "object") return schema;
  const values = Object.entries(recordAt(schema, "properties")).map(([key, property]) => [
    key,
    isRecord(property) ? property.value : undefined,
  ]);
  return Object.fromEntries(values);
}

const named = (settings: JsonObject) => settingsIn(settings, VAPI_SERVER_KEYS);

/** Returns the settings of a graph, node or tool from Vapi. Importers group them by the part of the document. */
function vapiSettings(settings: JsonObject): readonly string[] {
  if (settings.kind === "workflow") return named(omit(settings, ["kind"]));
  const ofTool = toolSettings(recordAt(settings, "tool"));
  // nodes of workflows have `type` or `of`; assistants have neither
  if (typeof settings.type === "string" || Object.hasOwn(settings, "of"))
    return [...named(pick(settings, WORKFLOW_NODE_SETTINGS)), ...ofTool];
  const parts = ["home", "squad", "call", "tool", "kind"];
  if (!parts.some((part) => Object.hasOwn(settings, part))) return named(settings);
  const home = recordAt(settings, "home");
  const squad = recordAt(settings, "squad");
  const overrides = [home.assistantOverrides, squad.membersOverrides, squad.memberOverrides].filter(isRecord);
  return [
    ...named(recordAt(home, "assistant")),
    ...named(omit(squad, ["members", "membersOverrides", "memberOverrides"])),
    ...overrides.flatMap((each) => named(omit(each, ["variableValues"]))),
    ...ofTool,
  ];
}

export { VAPI_VARIABLES } from "./variables.ts";
