import type { Path } from "../../../src/base/errors.ts";
import { getAt, isRecord, type JsonObject, own, setAt } from "../../../src/base/values/mod.ts";
import type { DocumentShape } from "../../lens/mod.ts";
import { hasType, namePatterns } from "../api/mod.ts";

/** Identity keys and kinds of members, tools, handoffs and aliases. */
export const DOCUMENT_SHAPE: DocumentShape = {
  keys: [
    "id",
    "assistantOverrides.name",
    "assistantId",
    "assistant.name",
    "function.name",
    "name",
    "key",
    "assistantName",
  ],
  kindOf: (item) => (isRecord(item) ? toolKind(item) : undefined),
};

/** Returns the kind of a tool. The graph separates tools, transitions to ends, and handoffs; documents mix them. */
function toolKind({ type, destinations }: { readonly [key: string]: unknown }): string | undefined {
  const list: readonly unknown[] = Array.isArray(destinations) ? destinations : [];
  const isInside = list.some((item) => isRecord(item) && (item.type ?? "assistant") === "assistant");
  if (type === "handoff" || (type === "transferCall" && isInside)) return "handoff";
  return type === "endCall" || type === "transferCall" ? "call" : undefined;
}

const PATH = ["variableExtractionPlan", "aliases"] as const;
/** Liquid that is only a path into the tool's result: `{{$.order.status}}`. */
const RESULT_PATH = /^\{\{-?\s*(\$(?:\.[A-Za-z0-9_$-]+|\[\d+\])*)\s*-?\}\}$/;

/** Variables from a tool's aliases, and the tool with the remaining aliases. */
export interface AliasesRead {
  readonly variables: { readonly [name: string]: string };
  readonly rest: JsonObject;
}

/**
 * Reads aliases that are paths into the tool's result as variables. Aliases with other Liquid stay in the tool.
 *
 * @returns `undefined` if no alias is such a path.
 */
export function aliasesOf(tool: JsonObject): AliasesRead | undefined {
  const list = getAt(tool, PATH);
  if (!Array.isArray(list)) return undefined;
  const variables = new Map<string, string>();
  const others = list.filter((alias: unknown) => {
    const { key, value } = isRecord(alias) && Object.keys(alias).length === 2 ? alias : {};
    const path = typeof value === "string" ? RESULT_PATH.exec(value)?.[1] : undefined;
    // the pattern also rules out keys that look like numbers, which objects would reorder
    if (typeof key !== "string" || !namePatterns().alias.test(key) || path === undefined || variables.has(key))
      return true;
    variables.set(key, path);
    return false;
  });
  return variables.size === 0
    ? undefined
    : { variables: Object.fromEntries(variables), rest: setAt(tool, PATH, others) };
}

/** Adds an alias for each variable, before the other aliases. */
export function withAliases(tool: JsonObject, variables: { readonly [name: string]: string }): JsonObject {
  const aliases = Object.entries(variables).map(([key, path]) => ({ key, value: `{{${path}}}` }));
  const list = getAt(tool, PATH);
  return aliases.length === 0 ? tool : setAt(tool, PATH, [...aliases, ...(Array.isArray(list) ? list : [])]);
}

/** Keys that identify an assistant, by the type of their values. Some are from older versions of the API. */
const ASSISTANT_KEYS = [
  ["string", ["firstMessage", "firstMessageMode", "endCallMessage", "voicemailMessage", "serverUrl"]],
  ["number", ["silenceTimeoutSeconds", "maxDurationSeconds"]],
  ["boolean", ["endCallFunctionEnabled"]],
  ["array", ["endCallPhrases", "serverMessages", "clientMessages"]],
  ["object", ["transcriber", "startSpeakingPlan", "stopSpeakingPlan", "analysisPlan", "artifactPlan"]],
] as const;
/** Objects that other platforms also have, with keys of which Vapi's objects have at least one. */
const PART_KEYS = {
  model: ["provider", "messages", "systemPrompt", "toolIds", "tools"],
  voice: ["voiceId"],
};

/** Keys of other documents, which an assistant never has. */
const FOREIGN_KEYS = ["members", "nodes", "edges", "squad", "workflow", "states", "response_engine", "general_prompt"];

/** Returns the likelihood that an object is an assistant: 0 to 0.95. */
export function assistantLikeness(record: JsonObject): number {
  if (hasAny(record, FOREIGN_KEYS)) return 0;
  const typed = ASSISTANT_KEYS.flatMap(([type, keys]) => keys.filter((key) => hasType(type, own(record, key))));
  const parts = Object.entries(PART_KEYS).flatMap(([key, inner]) => (hasAny(own(record, key), inner) ? [key] : []));
  const found = [...typed, ...parts];
  if (found.length === 0) return 0;
  const sure = found.some((key) => key === "model" || key === "firstMessage" || key === "firstMessageMode");
  return Math.min(0.95, (sure ? 0.5 : 0.2) + found.length / 10);
}

/** Returns the likelihood that an object is a squad, judged by its members: 0 to 0.95. */
export function squadLikeness(record: JsonObject): number {
  const { members } = record;
  if (!Array.isArray(members) || Object.hasOwn(record, "nodes")) return 0;
  if (members.length === 0) return 0.3;
  const known = members.filter((member) => hasAny(member, ["assistantId", "assistant"]));
  return known.length === 0 ? 0 : Math.max(0.4, (0.95 * known.length) / members.length);
}

function hasAny(value: unknown, keys: readonly string[]): boolean {
  return isRecord(value) && keys.some((key) => Object.hasOwn(value, key));
}

/** Whether an object is a tool as `GET /tool` returns it, with a type and a function, destinations or a server. */
function isTool(value: unknown): boolean {
  if (!isRecord(value) || typeof value.type !== "string") return false;
  return isRecord(value.function) || Array.isArray(value.destinations) || isRecord(value.server);
}

/** Whether a document contains only tools: one tool, a list of tools, or tools by name. */
export function holdsOnlyTools(document: unknown): boolean {
  if (isTool(document)) return true;
  if (Array.isArray(document)) return document.length > 0 && document.every(isTool);
  if (!isRecord(document) || Object.hasOwn(document, "nodes")) return false;
  const { tools } = document;
  const listed = isRecord(tools) ? Object.values(tools) : Array.isArray(tools) ? tools : [];
  return listed.length > 0 && listed.every(isTool);
}

/** Finds the squad in a document. */
export const openSquad = (document: unknown) =>
  openEnvelope(document, ["squad", "squads"], (record) => squadLikeness(record) > 0);

/** Finds the assistant in a document. */
export const openAssistant = (document: unknown) =>
  openEnvelope(document, ["assistant", "assistants"], (record) => assistantLikeness(record) > 0);

/** A document and its path in the envelope: a list as the API returns it, or an object around the document. */
export interface Opened {
  readonly document: JsonObject;
  readonly at: Path;
}

/** Keys of envelopes, besides those named after the kind of document. */
const WRAPPERS = ["data", "result", "results", "items", "body", "payload", "response"];
const MAX_WRAPPERS = 4;

/**
 * Finds a document in its envelope. In a list, the first matching item is used.
 *
 * @param keys Envelope keys for this kind of document: `squad`, `squads`.
 * @param fits Whether an object is the document itself, judged by its keys.
 * @param at Path of the value.
 */
export function openEnvelope(
  value: unknown,
  keys: readonly string[],
  fits: (record: JsonObject) => boolean,
  at: Path = [],
): Opened | undefined {
  if (isRecord(value) && fits(value)) return { document: value, at };
  if (at.length === MAX_WRAPPERS || typeof value !== "object") return undefined;
  const parts: readonly (string | number)[] = Array.isArray(value) ? [...value.keys()] : [...keys, ...WRAPPERS];
  for (const part of parts) {
    const found = openEnvelope(getAt(value, [part]), keys, fits, [...at, part]);
    if (found) return found;
  }
  return undefined;
}
