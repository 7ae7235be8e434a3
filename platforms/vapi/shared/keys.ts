import { isRecord, type JsonObject, own } from "../../../src/base/values/mod.ts";
import { hasType } from "../api/mod.ts";
import { openEnvelope } from "./envelope.ts";

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
export function isTool(value: unknown): boolean {
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
