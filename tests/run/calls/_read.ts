import {
  isRecordedCall,
  type ReadCallsOptions,
  type RecordedCall,
  readCalls,
  type UnreadableCall,
} from "../../../src/run/calls/mod.ts";

/** What is read from a text. */
export async function readAll(
  text: string,
  options: ReadCallsOptions = {},
): Promise<readonly (RecordedCall | UnreadableCall)[]> {
  const all: (RecordedCall | UnreadableCall)[] = [];
  for await (const read of readCalls(text, options)) all.push(read);
  return all;
}

/** The calls read from a value; the test fails if a record cannot be read. */
export async function callsOf(value: unknown, options: ReadCallsOptions = {}): Promise<readonly RecordedCall[]> {
  return (await readAll(typeof value === "string" ? value : JSON.stringify(value), options)).map((read) => {
    if (isRecordedCall(read)) return read;
    throw new Error(read.reason);
  });
}

/** The messages of a call in short lines: who said what, and what happened. */
export function courseOf({ transcript }: RecordedCall): readonly string[] {
  return transcript.map(({ role, node_id, content }) => `${node_id}|${role}: ${content}`);
}

/** The bytes of a text in chunks of a size. */
export async function* chunksOf(text: string, size: number): AsyncIterable<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}
