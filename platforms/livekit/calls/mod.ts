import { isRecord, type JsonObject, own, pick, recordAt, records } from "../../../src/base/values/mod.ts";
import type { EndReason, TurnLatency } from "../../../src/document/transcript/mod.ts";
import {
  argumentsFrom,
  CallDraft,
  type CallReader,
  callFrom,
  NotACallError,
  numberAt,
  type RecordedCall,
  type RecordPlace,
  textAt,
} from "../../reading/mod.ts";

/** Types of the items of a chat context. */
const ITEM_TYPES: readonly unknown[] = [
  ...["message", "function_call", "function_call_output", "agent_handoff", "agent_config_update"],
];

/** How a session closed, as events and as reports name it. */
const REASONS: { readonly [reason: string]: EndReason | undefined } = {
  participant_disconnected: "caller_ended",
  user_initiated: "agent_ended",
  task_completed: "agent_ended",
  completed: "agent_ended",
  error: "failed",
  job_shutdown: "aborted",
};

/** Fields of a report that are kept besides its messages. */
const FACTS = ["room", "room_id", "agent_name", "tags", "sdk_version", "usage", "errors", "audio_recording_path"];

/** Reads session reports and chat contexts of LiveKit Agents, which the program writes: nothing lists them. */
export const livekitCallReader: CallReader = {
  isCall: (record) => itemsOf(record) !== undefined,
  isEvent: () => false,
  callOf: (event) => event,
  read: readSession,
  list: null,
};

/** The items of a report's history, or of a chat context; `undefined` for other records. */
function itemsOf(record: JsonObject): readonly JsonObject[] | undefined {
  const history = own(record, "chat_history") ?? own(record, "chatHistory") ?? record;
  const items = isRecord(history) ? own(history, "items") : undefined;
  if (!Array.isArray(items) || !items.every(isRecord)) return undefined;
  const isReport = history !== record && items.length === 0;
  const areItems = items.length > 0 && items.every(({ type }) => typeof type === "string");
  return isReport || (areItems && items.some(isItem)) ? items : undefined;
}

function isItem(item: JsonObject): boolean {
  if (!ITEM_TYPES.includes(item.type)) return false;
  return item.type !== "message" || (typeof item.role === "string" && Array.isArray(item.content));
}

/** The value of an item's field, which Python spells `call_id`, and JavaScript `callId`. */
function fieldOf(item: JsonObject, name: string): unknown {
  const camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return own(item, name) ?? own(item, camel);
}

/** Times of reports are in seconds, those of JavaScript's objects in milliseconds. */
function timeOf(item: JsonObject): number | undefined {
  const time = fieldOf(item, "created_at");
  if (typeof time !== "number" || !Number.isFinite(time)) return undefined;
  return time < 1e11 ? time * 1_000 : time;
}

function readSession(record: JsonObject, place: RecordPlace): RecordedCall {
  const items = itemsOf(record) ?? [];
  if (items.length === 0) throw new NotACallError("its history has no items", "skipped");
  const startMs = items.map(timeOf).find((time) => time !== undefined);
  const draft = new CallDraft(startMs ?? 0);
  const latency: TurnLatency[] = [];
  let turn = 0;
  for (const item of items) {
    const time = timeOf(item);
    const atMs = time === undefined || startMs === undefined ? undefined : Math.max(0, time - startMs);
    if (item.type === "message" && item.role === "user") turn += 1;
    if (item.type === "message") addMessage(item, draft, atMs);
    const seconds = numberAt(recordAt(item, "metrics"), "e2e_latency");
    if (item.role === "assistant" && seconds !== undefined)
      latency.push({ turn, nodeId: draft.at, firstWordMs: seconds * 1_000 });
    if (item.type === "function_call") addCall(item, items, draft, atMs);
    if (item.type === "agent_handoff") draft.arrive(String(fieldOf(item, "new_agent_id") ?? ""), "handoff", atMs);
  }
  const reason = reasonOf(record);
  const durationMs = numberAt(record, "duration_ms") ?? (startMs === undefined ? undefined : draft.lastMs);
  return callFrom(draft, {
    format: "livekit",
    place,
    callId: textAt(record, "job_id") ?? textAt(record, "jobId"),
    agentId: textAt(record, "agent_name"),
    startMs,
    durationMs,
    reason,
    endReason: own(REASONS, (reason ?? "").replace(/^CR_/, "").toLowerCase()),
    startVariables: {},
    variables: {},
    latency,
    kept: pick(record, FACTS),
  });
}

/** Adds what was said. Instructions are no part of the conversation. */
function addMessage(item: JsonObject, draft: CallDraft, atMs: number | undefined): void {
  if (item.role !== "user" && item.role !== "assistant") return;
  const parts = Array.isArray(item.content) ? item.content : [item.content];
  const spoken = parts.flatMap((part) => {
    if (typeof part === "string") return [part];
    return isRecord(part) && typeof part.transcript === "string" ? [part.transcript] : [];
  });
  draft.say(item.role, spoken.join("\n"), atMs, item.interrupted === true ? { cut: true } : {});
}

function addCall(item: JsonObject, items: readonly JsonObject[], draft: CallDraft, atMs: number | undefined): void {
  const id = fieldOf(item, "call_id");
  const answer = records(items).find((each) => each.type === "function_call_output" && fieldOf(each, "call_id") === id);
  draft.call(
    {
      name: textAt(item, "name") ?? "",
      arguments: argumentsFrom(own(item, "arguments") ?? own(item, "args")),
      result: answer?.output ?? null,
      outcome: answer && fieldOf(answer, "is_error") !== true ? "succeeded" : "failed",
    },
    atMs,
  );
}

/** Why the session closed: in newer reports a field of its own, in all of them the last event. */
function reasonOf(record: JsonObject): string | undefined {
  const closed = records(own(record, "events")).findLast(({ type }) => type === "close");
  return textAt(record, "close_reason") ?? (closed && textAt(closed, "reason"));
}
