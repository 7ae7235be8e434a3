import { getAt, isRecord, type JsonObject, recordsAt } from "../../../src/base/values/mod.ts";
import { isText } from "../shared/mod.ts";

/** A tool of an assistant, as its definition says. */
export interface VapiTool {
  readonly type: string;
  /** The name of its function; `undefined`: the platform chooses one. */
  readonly name: string | undefined;
  /** Whether it only changes the call itself. */
  readonly isInside: boolean;
  readonly destinations: readonly JsonObject[];
}

/** What a tool call does to the call. */
export type CallEffect = "handoff" | "endCall" | "transferCall";

/** Types that only change the call, or only read what is stored with the agent. */
const INSIDE: readonly string[] = ["handoff", "endCall", "dtmf", "voicemail", "query"];
/** The code of tools by which emitted squads set variables: it can do nothing else. */
const SETS_VARIABLES = /^\s*return (?:args|\{\});?\s*$/;

/** Reads the definition of a tool. */
export function readTool(tool: JsonObject): VapiTool {
  const type = isText(tool.type) ? tool.type : "function";
  const name = [getAt(tool, ["function", "name"]), tool.name].find((each) => isText(each) && each !== "");
  const setsVariables = type === "code" && isText(tool.code) && SETS_VARIABLES.test(tool.code);
  return {
    type,
    name: isText(name) ? name : undefined,
    isInside: INSIDE.includes(type) || setsVariables,
    destinations: recordsAt(tool, ["destinations"]),
  };
}

/** What a tool is called in a list of tools that run. */
export function labelOf({ name, type }: VapiTool): string {
  return name ?? type;
}

/** Names that the platform gives to tools without one, as calls have them. */
const DEFAULT_NAMES: readonly (readonly [RegExp, CallEffect])[] = [
  [/^end_?call/i, "endCall"],
  [/^(?:hand_?off_?to|hand_?off|transfer_?to)_?/i, "handoff"],
  [/^transfer_?call/i, "transferCall"],
];

/**
 * What a tool call does to the call, by the definition of the tool with its name, else by the names that the platform
 * gives to its own tools.
 */
export function effectOf(called: string, tools: readonly VapiTool[]): CallEffect | undefined {
  const tool = tools.find(({ name }) => name === called);
  if (tool) return isEffect(tool.type) ? tool.type : undefined;
  return DEFAULT_NAMES.find(([pattern]) => pattern.test(called))?.[1];
}

function isEffect(type: string): type is CallEffect {
  return type === "handoff" || type === "endCall" || type === "transferCall";
}

/** The definitions of an assistant's tools and the ids of stored ones, in all layers of its settings. */
export function toolsIn(layers: readonly unknown[]): {
  readonly defined: readonly JsonObject[];
  readonly stored: readonly string[];
} {
  const models = layers.map((layer) => getAt(layer, ["model"])).filter(isRecord);
  const lists = [
    ...models.flatMap((model) => [model.tools, model.toolRefs]),
    ...layers.map((layer) => getAt(layer, ["tools:append"])),
  ];
  const all = lists.flatMap((list): readonly unknown[] => (Array.isArray(list) ? list : [])).filter(isRecord);
  const ids = [
    ...models.flatMap(({ toolIds }): readonly unknown[] => (Array.isArray(toolIds) ? toolIds : [])),
    ...all.map(({ toolId }) => toolId),
  ];
  return {
    defined: all.filter(({ type, function: called }) => type !== undefined || called !== undefined),
    stored: [...new Set(ids.filter(isText))],
  };
}
