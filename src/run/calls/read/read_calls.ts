import { createReadStream } from "node:fs";
import { basename } from "node:path";
import {
  NotACallError,
  READ_PLATFORMS,
  type RecordedCall,
  type RecordPlace,
  type UnreadableCall,
} from "../../../../platforms/mod.ts";
import { UsageError } from "../../../base/errors.ts";
import { fileProblem } from "../../../base/files/mod.ts";
import { checkOptions, isRecord, type JsonObject, OPTION, oneOf, rule, thrownWords } from "../../../base/values/mod.ts";
import { type Piece, splitRecords } from "../split/mod.ts";
import { isChatMessage } from "./openai.ts";
import {
  CALL_FORMATS,
  type CallFormat,
  type CallReaders,
  loadReaders,
  type ReadRecord,
  readerOf,
  readersOf,
} from "./recognise.ts";
import { readTextCall } from "./text.ts";

/** Options of {@link readCalls}. */
export interface ReadCallsOptions {
  /** Default: detected for each record by its content. */
  readonly format?: CallFormat;
  /** Name of a text or stream, kept with its calls. Files keep their own names. Default: `calls`. */
  readonly name?: string;
}

/**
 * Streams real calls from a source of any size: calls, pages and webhook events of platforms, chat messages in OpenAI's format, plain text with speakers, and JSON lines of these.
 *
 * @returns The calls in order, and the records that are not calls. A damaged record does not end the stream.
 * @throws {UsageError} `invalid-option`; `unreadable-file` for a file that cannot be read.
 */
export async function* readCalls(
  source: CallSource,
  options: ReadCallsOptions = {},
): AsyncIterable<RecordedCall | UnreadableCall> {
  const rules = { format: oneOf(...CALL_FORMATS), name: OPTION.text };
  checkOptions(options, rules, UsageError, "Cannot read calls");
  checkOptions({ source }, { source: SOURCE }, UsageError, "Cannot read calls");
  const readers = await loadReaders(
    READ_PLATFORMS.filter((name) => options.format === undefined || options.format === name),
  );
  for (const stream of streamsOf(source, options.name ?? UNNAMED_SOURCE))
    yield* readStream(stream, readers, options.format);
}

/** Whether an item is a call, rather than a problem. */
export function isRecordedCall(read: RecordedCall | UnreadableCall): read is RecordedCall {
  return isRecord(read) && !("problem" in read);
}

/**
 * Reads the calls of a JSON value: a call, an event, a list or a page.
 *
 * @param place The place of the first call; the record number counts up.
 */
export function readRecords(
  value: unknown,
  place: RecordPlace,
  readers: CallReaders,
  format?: CallFormat,
): readonly (RecordedCall | UnreadableCall)[] {
  return readersOf(value, readers, format).map((reader, index) =>
    readBy(reader, { ...place, position: place.position + index }),
  );
}

async function* readStream(
  { name: source, chunks }: NamedStream,
  readers: CallReaders,
  format: CallFormat | undefined,
): AsyncIterable<RecordedCall | UnreadableCall> {
  let position = 1;
  const list = new OpenList(readers);
  try {
    for await (const piece of splitRecords(chunks, { isText: format === "text" })) {
      for (const reader of list.readers(piece, format)) {
        yield readBy(reader, { source, position, line: list.line ?? piece.line });
        position++;
      }
    }
  } catch (error) {
    throw unreadable(source, error);
  }
}

/** The list that is being read element by element. If its elements are messages, the whole list is one call. */
class OpenList {
  readonly #readers: CallReaders;
  #elements = 0;
  #messages: JsonObject[] = [];
  #line: number | undefined;

  constructor(readers: CallReaders) {
    this.#readers = readers;
  }

  /** Line in which the messages of the last call begin, if it was collected. */
  get line(): number | undefined {
    return this.#line;
  }

  readers(piece: Piece, format: CallFormat | undefined): readonly ReadRecord[] {
    this.#line = undefined;
    if (piece.kind === "damage") {
      return [
        () => {
          throw new NotACallError(piece.reason);
        },
      ];
    }
    const { kind } = piece;
    if (kind === "text") return [(place) => readTextCall(piece.text, place)];
    const { value, list, line } = piece;
    if (list === undefined) return readersOf(value, this.#readers, format);
    if (list === "end") return this.#end(value, format, line);
    this.#elements++;
    if (!isChatMessage(value)) return readersOf(value, this.#readers, format);
    this.#messages.push(value);
    return [];
  }

  #end(document: unknown, format: CallFormat | undefined, line: number): readonly ReadRecord[] {
    const [messages, elements] = [this.#messages, this.#elements];
    [this.#messages, this.#elements] = [[], 0];
    this.#line = line;
    if (messages.length > 0) return readersOf(messages, this.#readers, format);
    const reader = isRecord(document) ? readerOf(document, this.#readers, format) : undefined;
    if (reader) return [reader];
    return elements > 0 ? [] : readersOf(document, this.#readers, format);
  }
}

function readBy(reader: ReadRecord, place: RecordPlace): RecordedCall | UnreadableCall {
  try {
    return reader(place);
  } catch (error) {
    const isKnown = error instanceof NotACallError;
    return { problem: isKnown ? error.problem : "damaged", reason: thrownWords(error), ...place };
  }
}

function unreadable(source: string, error: unknown): unknown {
  const isFile = error instanceof Error && "code" in error && typeof error.code === "string" && "syscall" in error;
  if (!isFile) return error;
  const { state, hint } = fileProblem(error, "read");
  return new UsageError(`Cannot read "${source}": ${state}`, { code: "unreadable-file", hint, cause: error });
}

/** Where calls are read from: their text, a stream of it, or a list of paths. */
export type CallSource = string | AsyncIterable<Uint8Array | string> | readonly string[];

/** A stream of calls and its name. */
export interface NamedStream {
  readonly name: string;
  readonly chunks: AsyncIterable<Uint8Array | string>;
}

/** The rule for a source option. */
export const SOURCE = rule("the text of calls, a stream of it, or a list of paths", (value) => {
  if (typeof value === "string") return true;
  if (Array.isArray(value)) return value.every((path: unknown) => typeof path === "string" && path !== "");
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
});

/** Name of sources that have none. */
const UNNAMED_SOURCE = "calls";

/**
 * Returns the streams of a source.
 *
 * @param name Name of a text or stream. Files are named by their file name.
 */
function* streamsOf(source: CallSource, name: string): Iterable<NamedStream> {
  if (typeof source === "string") yield { name, chunks: once(source) };
  else if (Symbol.asyncIterator in source) yield { name, chunks: source };
  else for (const path of source) yield { name: basename(path), chunks: fileChunks(path) };
}

async function* once(text: string): AsyncIterable<string> {
  yield text;
}

async function* fileChunks(path: string): AsyncIterable<Uint8Array> {
  for await (const chunk of createReadStream(path)) if (chunk instanceof Uint8Array) yield chunk;
}
