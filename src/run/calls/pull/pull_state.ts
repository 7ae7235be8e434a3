import { createHash } from "node:crypto";
import * as v from "valibot";
import type { Stretch } from "../../../../platforms/mod.ts";
import { CallweaveError, isCallweaveError } from "../../../base/errors.ts";
import { fileProblem, readIfPresent, withLock, writeFileTo } from "../../../base/files/mod.ts";
import { isRecord } from "../../../base/values/mod.ts";
import { joined } from "./covered.ts";

const Entry = v.object({
  covered: v.array(v.object({ from: v.number(), to: v.number() })),
  /** A result that the pull stored; a database without it is another one. */
  result: v.nullable(v.string()),
});
const Document = v.record(v.string(), Entry);

/** The record of earlier pulls. */
export type PullEntry = v.InferOutput<typeof Entry>;

/** Maximum number of intervals to keep; unfinished calls split them, and the oldest of them are read again. */
const MOST_STRETCHES = 200;

/** Name of a pull in the state: calls of one agent or of all, of one workspace, into one database. */
export function pullName(parts: readonly (string | undefined)[]): string {
  const [platform = ""] = parts;
  return `${platform} ${createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 16)}`;
}

/** Reads the record of earlier pulls of a name; empty if the file does not exist. */
export async function readPullState(path: string, name: string): Promise<PullEntry> {
  return (await readDocument(path))[name] ?? { covered: [], result: null };
}

/** Records what was read, merged with what other pulls record at the same time. */
export async function notePulled(path: string, name: string, read: readonly Stretch[], result: string | null) {
  await whileWriting(path, async () => {
    const document = await readDocument(path);
    const before = document[name] ?? { covered: [], result: null };
    const covered = joined([...before.covered, ...read]).slice(-MOST_STRETCHES);
    const next = { ...document, [name]: { covered, result: result ?? before.result } };
    await writeFileTo(path, `${JSON.stringify(next, null, 2)}\n`);
  });
}

/** Deletes the record of earlier pulls. */
export async function forgetPulled(path: string, name: string): Promise<void> {
  await whileWriting(path, async () => {
    const { [name]: _forgotten, ...others } = await readDocument(path);
    await writeFileTo(path, `${JSON.stringify(others, null, 2)}\n`);
  });
}

/** @throws {CallweaveError} `unwritable-file`. */
async function whileWriting(path: string, work: () => Promise<void>): Promise<void> {
  try {
    await withLock(path, work);
  } catch (cause) {
    if (isCallweaveError(cause)) throw cause;
    const { state, hint } = fileProblem(cause, "write");
    const message = `Cannot write the record of pulls "${path}": ${state}`;
    throw new CallweaveError(message, { code: "unwritable-file", path: [path], hint, cause });
  }
}

/** @throws {CallweaveError} `unreadable-file` for a file that cannot be read, `invalid-json` for another content. */
async function readDocument(path: string): Promise<v.InferOutput<typeof Document>> {
  const text = await readIfPresent(path).catch((cause: unknown) => {
    const { state, hint } = fileProblem(cause, "read");
    const message = `Cannot read the record of pulls "${path}": ${state}`;
    throw new CallweaveError(message, { code: "unreadable-file", path: [path], hint, cause });
  });
  try {
    if (text === undefined) return {};
    const document: unknown = JSON.parse(text);
    if (!isRecord(document)) throw new TypeError("it is no object"); // the schema takes a list for one
    return v.parse(Document, document);
  } catch (cause) {
    throw new CallweaveError(`Cannot read "${path}": it is not a record of pulls`, {
      code: "invalid-json",
      path: [path],
      hint: "Delete the file; the next pull does not store calls twice",
      cause,
    });
  }
}
