import {
  type CallReader,
  NotACallError,
  PLATFORMS,
  type PlatformFacts,
  type PlatformName,
  READ_PLATFORMS,
  type RecordedCall,
  type RecordPlace,
} from "../../../../platforms/mod.ts";
import { isRecord, type JsonObject } from "../../../base/values/mod.ts";
import { otherTool } from "../../../document/graph/mod.ts";
import { LIST_KEYS } from "../split/mod.ts";
import { isChatMessage, messagesKey, readChatCall } from "./openai.ts";
import { readTextCall } from "./text.ts";

/** Names of the formats in which calls are read. */
export const CALL_FORMATS = [...READ_PLATFORMS, "openai", "text"] as const;

/** Format of recorded calls: a platform's, `openai` (chat messages) or `text` (lines with speakers). */
export type CallFormat = PlatformName | "openai" | "text";

/** Readers of the platforms' calls, by platform. */
export type CallReaders = ReadonlyMap<string, CallReader>;

/** Loads the readers of platforms. */
export async function loadReaders(names: readonly PlatformName[]): Promise<CallReaders> {
  const readers = names.map(async (name) => {
    const { calls }: PlatformFacts = PLATFORMS[name];
    return calls && ([name, await calls.reader()] as const);
  });
  return new Map((await Promise.all(readers)).filter((each) => each !== null));
}

export type ReadRecord = (place: RecordPlace) => RecordedCall;

/** Maximum nesting of lists and pages. */
const MOST_LEVELS = 5;

/**
 * Returns a reader for each call in a JSON value: a call, an event of a webhook, a list or a page of them.
 *
 * @param readers From {@link loadReaders}.
 * @param format Only calls of this format. Default: recognised by the keys of each record.
 */
export function readersOf(value: unknown, readers: CallReaders, format?: CallFormat, level = 0): readonly ReadRecord[] {
  if (Array.isArray(value)) {
    if (value.length > 0 && value.every(isChatMessage)) return [(place) => readChatCall({ messages: value }, place)];
    if (level < MOST_LEVELS) return value.flatMap((item) => readersOf(item, readers, format, level + 1));
  }
  if (!isRecord(value)) return [fail("it is a value, not a call")];
  const reader = readerOf(value, readers, format);
  if (reader) return [reader];
  const list = LIST_KEYS.map((key) => value[key]).find(Array.isArray);
  if (list && level < MOST_LEVELS) return readersOf(list, readers, format, level + 1);
  const tool = otherTool(value);
  if (tool !== undefined) return [fail(`it is ${tool}, not a call`)];
  const keys = Object.keys(value).slice(0, 5).join(", ");
  const what = format === undefined ? "a call in a known format" : `a call in the format "${format}"`;
  return [fail(`it is not ${what}: its keys are ${keys || "none"}`)];
}

/** Returns the reader of a record that is one call; `undefined` when it is none. */
export function readerOf(record: JsonObject, readers: CallReaders, format?: CallFormat): ReadRecord | undefined {
  const is = (name: string) => format === undefined || format === name;
  for (const [name, reader] of readers) {
    if (!is(name)) continue;
    if (reader.isEvent(record)) return (place) => reader.read(reader.callOf(record), place);
    if (reader.isCall(record)) return (place) => reader.read(record, place);
  }
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
