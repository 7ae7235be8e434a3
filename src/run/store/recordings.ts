import * as v from "valibot";
import { ModelError } from "../../base/errors.ts";
import {
  ClockDocument,
  clockKey,
  type Recording,
  RecordingDocument,
  type RecordingStore,
  redacted,
} from "../../call/models/mod.ts";
import { type Database, type OpenStoreOptions, openDatabase, readRowPages } from "./database/mod.ts";
import { json } from "./rows/mod.ts";

/** Recordings of model calls in a libSQL database. Several machines can share one on a server. */
export interface RecordingDatabase extends RecordingStore, AsyncDisposable {
  /** Address of the database, without user, password or token. */
  readonly url: string;
  /** Waits for pending calls, then closes files and connections. */
  readonly close: () => Promise<void>;
}

/**
 * Opens recordings of model calls in a results database. Each recording is written when its call is answered, so that
 * many processes can record and replay at the same time; the latest recording of a call wins. Keys and tokens of the
 * environment are removed before writing.
 *
 * @param url As for `openStore()`.
 * @throws {StoreError} `store-unavailable`; the methods throw `store-failed`.
 * @throws {ModelError} The methods throw `recording-unreadable` for a row in another format.
 * @example
 * ```ts
 * import { createRecordings, flow, run, scenario } from "callweave";
 * import { openRecordings } from "callweave/calls";
 *
 * const hello = flow("hello").conversation("greet", { prompt: "Greet the caller." }).compile();
 * const recordings = await openRecordings(":memory:");
 * const scenarios = [scenario("greets", hello).says("Good morning").ends("caller_exhausted")];
 * await run(hello, scenarios, { recordings: createRecordings(recordings, "auto"), store: false });
 * await recordings.close();
 * ```
 */
export async function openRecordings(url?: string, options: OpenStoreOptions = {}): Promise<RecordingDatabase> {
  const database = await openDatabase(url, options);
  const close = async () => await database.close();
  return {
    url: database.location.shown,
    find: async (key) => await findRecording(database, key),
    add: async (recording) => await addRecording(database, redacted(recording)),
    like: async (role, signature) => {
      const sql =
        "SELECT key, document FROM callweave_recordings WHERE role = ? AND signature = ? AND key > ? ORDER BY key LIMIT ?";
      const args = [role, signature];
      const rows = await readRowPages(database, { sql, args, column: "key" }, { action: "read recordings of" });
      return rows.map(({ key, document }) => parsed(RecordingDocument, database, String(key), document));
    },
    findClock: async (call) => await findClock(database, clockKey(call)),
    addClock: async (call, startedAt) => {
      const document = { ...call, started_at: startedAt };
      await put(database, { key: clockKey(call), role: "agent", signature: CLOCK, document });
    },
    flush: async () => {}, // each recording is written at once
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function findRecording(database: Database, key: string): Promise<Recording | undefined> {
  const document = await findDocument(database, key);
  return document === undefined ? undefined : parsed(RecordingDocument, database, key, document);
}

async function findDocument(database: Database, key: string): Promise<unknown> {
  const sql = "SELECT document FROM callweave_recordings WHERE key = ?";
  const { rows } = await database.read({ sql, args: [key] }, { action: "read recording of" });
  return rows[0]?.document;
}

async function addRecording(database: Database, recording: Recording): Promise<void> {
  const { key, role, signature } = recording;
  await put(database, { key, role, signature, document: recording });
}

/** Role of rows that hold a clock instead of a model call. */
const CLOCK = "clock";

async function findClock(database: Database, key: string): Promise<string | undefined> {
  const document = await findDocument(database, key);
  return document === undefined ? undefined : parsed(ClockDocument, database, key, document).started_at;
}

interface Row {
  readonly key: string;
  readonly role: string;
  readonly signature: string;
  readonly document: object;
}

async function put(database: Database, { key, role, signature, document }: Row): Promise<void> {
  const sql = `INSERT INTO callweave_recordings (key, role, signature, document) VALUES (?, ?, ?, ?)
    ON CONFLICT (key) DO UPDATE SET document = excluded.document`;
  await database.write([{ sql, args: [key, role, signature, json(document)] }], { action: "store recording in" });
}

function parsed<Schema extends v.GenericSchema>(
  schema: Schema,
  { location }: Database,
  key: string,
  document: unknown,
): v.InferOutput<Schema> {
  try {
    return v.parse(schema, JSON.parse(String(document)));
  } catch (cause) {
    throw new ModelError(`Cannot read recording "${key}" in "${location.shown}": it has an unknown format`, {
      code: "recording-unreadable",
      path: [location.shown, key],
      hint: 'Record it again with mode "record"',
      cause,
    });
  }
}
