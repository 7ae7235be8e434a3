import { isRecord, type JsonObject, own, recordAt, records, recordsAt } from "../../../src/base/values/mod.ts";
import { endingOf } from "../../../src/document/graph/mod.ts";
import {
  argumentsFrom,
  CallDraft,
  callFrom,
  NotACallError,
  outcomeOf,
  type RecordedCall,
  type RecordPlace,
  textAt,
  timeFrom,
} from "../../reading/mod.ts";
import { ENDING_TOOLS, inOrder, TELNYX_VARIABLES, wordsOf } from "../traits/mod.ts";

/** A conversation in a record: itself, or under `data` as answers have it. */
const conversationOf = (record: JsonObject): JsonObject =>
  isRecord(record.data) ? { ...record, ...record.data } : record;

/** Whether a record is a conversation of Telnyx with its messages. */
export function isTelnyxCall(record: JsonObject): boolean {
  const { messages, metadata, last_message_at: last } = conversationOf(record);
  const isTold = isRecord(metadata) && (textAt(metadata, "assistant_id") !== undefined || typeof last === "string");
  return Array.isArray(messages) && isTold;
}

/** Whether a record is an event of an assistant's webhook. */
export function isTelnyxEvent(record: JsonObject): boolean {
  return (textAt(recordAt(record, "data"), "event_type") ?? "").startsWith("call.conversation");
}

/** @throws {NotACallError} `skipped`: no event has the messages of its conversation. */
export function telnyxEventCall(record: JsonObject): JsonObject {
  const type = textAt(recordAt(record, "data"), "event_type");
  throw new NotACallError(`event "${type}" has no messages: pull the conversation`, "skipped");
}

/** Reads a conversation with its messages. */
export function readTelnyxCall(record: JsonObject, place: RecordPlace): RecordedCall {
  const call = conversationOf(record);
  const metadata = recordAt(call, "metadata");
  const messages = inOrder(recordsAt(call, ["messages"]));
  const startMs = timeFrom(own(call, "created_at")) ?? timeFrom(messages[0]?.created_at);
  const endMs = timeFrom(own(call, "last_message_at")) ?? timeFrom(messages.at(-1)?.created_at);
  const draft = new CallDraft(startMs ?? 0);
  readMessages(messages, draft, startMs ?? 0);
  const last = draft.toolsCalled.findLast(({ outcome }) => outcome !== "failed");
  const ending = last && ENDING_TOOLS.get(last.name);
  return callFrom(draft, {
    format: "telnyx",
    place,
    callId: textAt(call, "id"),
    agentId: textAt(metadata, "assistant_id"),
    startMs,
    durationMs: startMs !== undefined && endMs !== undefined ? Math.max(0, endMs - startMs) : undefined,
    reason: undefined,
    endReason: ending && endingOf({ type: ending }),
    startVariables: Object.fromEntries(Object.entries(metadata).filter(([key]) => TELNYX_VARIABLES.includes(key))),
    variables: {},
    latency: [],
    kept: { name: own(call, "name"), metadata },
  });
}

/** Adds messages to a call. A result belongs to a tool call by its id, or else to the first one without a result. */
function readMessages(messages: readonly JsonObject[], draft: CallDraft, startMs: number): void {
  const results = messages.filter(({ role }) => role === "tool");
  const idOf = (message: JsonObject) => message.tool_call_id ?? recordAt(message, "metadata").tool_call_id;
  const used = new Set<JsonObject>();
  for (const message of messages) {
    const at = timeFrom(message.created_at);
    const atMs = at === undefined ? undefined : Math.max(0, at - startMs);
    if (message.role === "user" || message.role === "assistant" || message.role === "system")
      draft.say(message.role, wordsOf(message), atMs);
    for (const { id, function: called } of records(message.tool_calls)) {
      const { name, arguments: given } = isRecord(called) ? called : {};
      const free = results.filter((each) => !used.has(each));
      const result = free.find((each) => idOf(each) === id) ?? free.find((each) => idOf(each) === undefined);
      if (result) used.add(result);
      const text = result ? wordsOf(result) : null;
      const outcome = outcomeOf(text);
      draft.call({ name: String(name ?? ""), arguments: argumentsFrom(given), result: text, outcome }, atMs);
    }
  }
}
