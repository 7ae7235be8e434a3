import { isRecord, type JsonObject } from "../../../src/values/mod.ts";
import { openEnvelope } from "./envelope.ts";

/** Keys by which an assistant is told, with the kind of value they have. */
const ASSISTANT_KEYS: readonly (readonly [key: string, fits: (value: unknown) => boolean])[] = [
  ["model", isModel],
  ["voice", (value) => isRecord(value) && ("provider" in value || "voiceId" in value)],
  ["transcriber", isRecord],
  ["firstMessage", (value) => typeof value === "string"],
  ["firstMessageMode", (value) => typeof value === "string"],
  ["endCallMessage", (value) => typeof value === "string"],
  ["endCallPhrases", Array.isArray],
  ["endCallFunctionEnabled", (value) => typeof value === "boolean"],
  ["voicemailMessage", (value) => typeof value === "string"],
  ["serverUrl", (value) => typeof value === "string"],
  ["serverMessages", Array.isArray],
  ["clientMessages", Array.isArray],
  ["silenceTimeoutSeconds", (value) => typeof value === "number"],
  ["maxDurationSeconds", (value) => typeof value === "number"],
  ["startSpeakingPlan", isRecord],
  ["stopSpeakingPlan", isRecord],
  ["analysisPlan", isRecord],
  ["artifactPlan", isRecord],
];

/** Keys of other documents, which an assistant never has. */
const FOREIGN_KEYS = ["members", "nodes", "edges", "squad", "workflow", "states", "response_engine", "general_prompt"];

/** How sure one can be that an object is an assistant: 0 to 0.95. */
export function assistantLikeness(record: JsonObject): number {
  if (FOREIGN_KEYS.some((key) => Object.hasOwn(record, key))) return 0;
  const found = ASSISTANT_KEYS.filter(([key, fits]) => Object.hasOwn(record, key) && fits(record[key]));
  if (found.length === 0) return 0;
  const sure = found.some(([key]) => key === "model" || key === "firstMessage" || key === "firstMessageMode");
  return Math.min(0.95, (sure ? 0.5 : 0.2) + found.length / 10);
}

/** How sure one can be that an object is a squad, judged by its members. */
export function squadLikeness(record: JsonObject): number {
  const { members } = record;
  if (!Array.isArray(members) || Object.hasOwn(record, "nodes")) return 0;
  if (members.length === 0) return 0.3;
  const known = members.filter(
    (member) => isRecord(member) && ["assistantId", "assistant"].some((key) => Object.hasOwn(member, key)),
  );
  return known.length === 0 ? 0 : Math.max(0.4, (0.95 * known.length) / members.length);
}

/** Whether an object is a tool, as `GET /tool` returns it: it has a kind and a function, destinations or a server. */
export function isTool(value: unknown): boolean {
  if (!isRecord(value) || typeof value.type !== "string") return false;
  return isRecord(value.function) || Array.isArray(value.destinations) || isRecord(value.server);
}

/** Whether a document holds tools and no agent: one of them, a list, or a catalogue by name. */
export function holdsOnlyTools(document: unknown): boolean {
  if (isTool(document)) return true;
  if (Array.isArray(document)) return document.length > 0 && document.every(isTool);
  if (!isRecord(document) || Object.hasOwn(document, "nodes")) return false;
  const { tools } = document;
  const listed = isRecord(tools) ? Object.values(tools) : Array.isArray(tools) ? tools : [];
  return listed.length > 0 && listed.every(isTool);
}

/** The squad in a document, if there is one. */
export const openSquad = (document: unknown) =>
  openEnvelope(document, ["squad", "squads"], (record) => squadLikeness(record) > 0);

/** The assistant in a document, if there is one. */
export const openAssistant = (document: unknown) =>
  openEnvelope(document, ["assistant", "assistants"], (record) => assistantLikeness(record) > 0);

function isModel(value: unknown): boolean {
  if (!isRecord(value)) return false;
  return ["provider", "messages", "systemPrompt", "toolIds", "tools"].some((key) => Object.hasOwn(value, key));
}
