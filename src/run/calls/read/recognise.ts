import { isRecord, type JsonObject } from "../../../base/values/mod.ts";
import { otherTool } from "../../../document/graph/mod.ts";
import type { RecordedCall } from "../recorded_call.ts";
import { LIST_KEYS } from "../split/mod.ts";
import { isChatMessage, messagesKey, readChatCall } from "./openai.ts";
import { NotACallError, type RecordPlace } from "./read_context.ts";
import { isRetellCall, isRetellEvent, readRetellCall, retellEventCall } from "./retell.ts";
import { readTextCall } from "./text.ts";
import { isVapiCall, isVapiEvent, readVapiCall, vapiEventCall } from "./vapi.ts";

/** Names of the formats in which calls are read. */
export const CALL_FORMATS = ["retell", "vapi", "openai", "text"] as const;

/** Format of recorded calls: `retell`, `vapi`, `openai` (chat messages) or `text` (lines with speakers). */
export type CallFormat = (typeof CALL_FORMATS)[number];

/** Reads one record. */
export type ReadRecord = (place: RecordPlace) => RecordedCall;

/** Maximum nesting of lists and pages. */
const MOST_LEVELS = 5;

/**
 * Returns a reader for each call in a JSON value: a call, an event of a webhook, a list or a page of them.
 *
 * @param format Only calls of this format. Default: recognised by the keys of each record.
 */
export function readersOf(value: unknown, format?: CallFormat, level = 0): readonly ReadRecord[] {
  if (Array.isArray(value)) {
    if (value.length > 0 && value.every(isChatMessage)) return [(place) => readChatCall({ messages: value }, place)];
    if (level < MOST_LEVELS) return value.flatMap((item) => readersOf(item, format, level + 1));
  }
  if (!isRecord(value)) return [fail("it is a value, not a call")];
  const reader = readerOf(value, format);
  if (reader) return [reader];
  const list = LIST_KEYS.map((key) => value[key]).find(Array.isArray);
  if (list && level < MOST_LEVELS) return readersOf(list, format, level + 1);
  const tool = otherTool(value);
  if (tool !== undefined) return [fail(`it is ${tool}, not a call`)];
  const keys = Object.keys(value).slice(0, 5).join(", ");
  const what = format === undefined ? "a call in a known format" : `a call in the format "${format}"`;
  return [fail(`it is not ${what}: its keys are ${keys || "none"}`)];
}

/** Returns the reader of a record that is one call; `undefined` when it is none. */
export function readerOf(record: JsonObject, format?: CallFormat): ReadRecord | undefined {
  const is = (name: CallFormat) => format === undefined || format === name;
  if (is("retell") && isRetellEvent(record)) return (place) => readRetellCall(retellEventCall(record), place);
  if (is("retell") && isRetellCall(record)) return (place) => readRetellCall(record, place);
  if (is("vapi") && isVapiEvent(record)) return (place) => readVapiCall(vapiEventCall(record), place);
  if (is("vapi") && isVapiCall(record)) return (place) => readVapiCall(record, place);
  if (is("openai") && messagesKey(record) !== undefined) return (place) => readChatCall(record, place);
  if (is("text") && typeof record.transcript === "string") {
    const { transcript } = record;
    return (place) => readTextCall(transcript, place);
  }
  return undefined;
}

function fail(reason: string): ReadRecord {
  return () => {
    throw new NotACallError(reason);
  };
}
