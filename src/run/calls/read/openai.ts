import {
  argumentsFrom,
  CallDraft,
  factsFrom,
  NotACallError,
  outcomeOf,
  type RecordedCall,
  type RecordPlace,
  textAt,
  timeFrom,
} from "../../../../platforms/mod.ts";
import { isRecord, type JsonObject, jsonOrText, omit, own, recordsAt } from "../../../base/values/mod.ts";

/** Keys under which documents store messages. */
const MESSAGE_KEYS = ["messages", "transcript", "conversation"];
const ID_KEYS = ["call_id", "id", "conversation_id", "session_id"];
const START_KEYS = ["started_at", "startedAt", "start_time", "created_at", "createdAt"];
const SECOND = 1_000;
/** Numbers below are seconds since 1970, as in OpenAI's `created`. */
const FIRST_MS = 100_000_000_000;

/** Whether a value is a message in the OpenAI chat format. */
export function isChatMessage(value: unknown): value is JsonObject {
  if (!isRecord(value) || typeof value.role !== "string") return false;
  return ["content", "tool_calls", "function_call"].some((key) => Object.hasOwn(value, key));
}

/** Returns the key of a record's messages; `undefined` when it has none. */
export function messagesKey(record: JsonObject): string | undefined {
  return MESSAGE_KEYS.find((key) => {
    const list = own(record, key);
    return Array.isArray(list) && list.length > 0 && list.every(isChatMessage);
  });
}

/**
 * Reads a call in the OpenAI chat format. Instructions before the first words are not part of the conversation and are
 * left out.
 *
 * @throws {NotACallError} When nobody says anything.
 */
export function readChatCall(record: JsonObject, { source, position }: RecordPlace): RecordedCall {
  const key = messagesKey(record) ?? "messages";
  const messages = recordsAt(record, [key]);
  const started = START_KEYS.map((name) => startFrom(own(record, name))).find((time) => time !== undefined);
  const draft = new CallDraft(started ?? 0);
  const results = new Map(
    messages.filter(({ role }) => role === "tool").map((message) => [own(message, "tool_call_id"), message]),
  );
  for (const [index, message] of messages.entries()) {
    const content = contentOf(message);
    const { role } = message;
    const isBegun = draft.transcript.length > 0;
    if (role === "user" || role === "assistant") draft.say(role, content);
    else if ((role === "system" || role === "developer") && isBegun) draft.say("system", content);
    for (const call of recordsAt(message, ["tool_calls"])) {
      const named = isRecord(call.function) ? call.function : call;
      addTool(draft, named, results.get(own(call, "id")));
    }
    const next = messages[index + 1];
    if (isRecord(message.function_call))
      addTool(draft, message.function_call, next?.role === "function" ? next : undefined);
  }
  if (!draft.transcript.some(({ role }) => role === "user" || role === "assistant"))
    throw new NotACallError("nobody says anything in it");
  const idKey = ID_KEYS.find((name) => ["string", "number"].includes(typeof own(record, name)));
  const callId = idKey === undefined ? null : String(own(record, idKey));
  const facts = factsFrom(omit(record, [key, "tools", ...(idKey === undefined ? [] : [idKey])]));
  return {
    provenance: {
      format: "openai",
      callId,
      source,
      position,
      redacted: false,
      ...(Object.keys(facts).length === 0 ? {} : { facts }),
    },
    startedAt: started === undefined ? null : new Date(started).toISOString(),
    durationMs: null,
    transcript: draft.transcript,
    nodesVisited: [],
    toolsCalled: draft.toolsCalled,
    variables: {},
  };
}

function addTool(draft: CallDraft, call: JsonObject, answer: JsonObject | undefined): void {
  const result = answer === undefined ? null : jsonOrText(contentOf(answer));
  draft.call({
    name: textAt(call, "name") ?? "",
    arguments: argumentsFrom(own(call, "arguments")),
    result,
    outcome: outcomeOf(result),
  });
}

/** The text of a message: its content, or the texts of its parts. */
function contentOf(message: JsonObject): string {
  const content = own(message, "content");
  if (typeof content === "string") return content;
  return recordsAt(message, ["content"])
    .map((part) => textAt(part, "text") ?? "")
    .join("");
}

function startFrom(value: unknown): number | undefined {
  const time = timeFrom(value);
  return time !== undefined && typeof value === "number" && time < FIRST_MS ? time * SECOND : time;
}
