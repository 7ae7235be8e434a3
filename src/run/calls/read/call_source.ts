import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { rule } from "../../../base/values/mod.ts";

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
export const UNNAMED_SOURCE = "calls";

/**
 * Returns the streams of a source.
 *
 * @param name Name of a text or stream. Files are named by their file name.
 */
export function* streamsOf(source: CallSource, name: string): Iterable<NamedStream> {
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
