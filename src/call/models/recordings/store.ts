import * as v from "valibot";
import { isCallweaveError, ModelError } from "../../../base/errors.ts";
import { checkWritable, fileProblem, readIfPresent, withLock, writeFileTo } from "../../../base/files/mod.ts";
import {
  checkOptions,
  isRecord,
  readableError,
  rule,
  shown,
  startTimeLimit,
  thrownWords,
} from "../../../base/values/mod.ts";
import type { RECORDING_MODES } from "../../../document/settings/mod.ts";
import {
  clockKey,
  RecordedAnswer,
  type RecordedCallName,
  type RecordedClock,
  type Recording,
  RecordingDocument,
  RecordingsDocument,
  type Role,
  redacted,
} from "./recording.ts";

/** Fields of a recording that a replay needs. */
export type FoundAnswer = Pick<Recording, "content" | "finish_reason">;

/** A store with validated results and a time limit for each method. */
export interface CheckedStore {
  readonly find: (key: string) => Promise<FoundAnswer | undefined>;
  readonly like: (...of: Parameters<RecordingStore["like"]>) => Promise<readonly Recording[]>;
  readonly findClock: (...of: Parameters<NonNullable<RecordingStore["findClock"]>>) => Promise<Date | undefined>;
  readonly add: RecordingStore["add"];
  readonly addClock: NonNullable<RecordingStore["addClock"]>;
  readonly prepare: NonNullable<RecordingStore["prepare"]>;
  readonly flush: RecordingStore["flush"];
}

/**
 * Wraps a store, which may be the user's own object, with validation and a time limit.
 *
 * @throws {ModelError} The methods throw `recording-unreadable`, `recording-unwritable`, or the store's own typed
 *   errors.
 */
export function checkedStore(store: RecordingStore, timeoutMs: number): CheckedStore {
  const reading = <Result>(name: string, work: () => Promise<Result>) =>
    inTime(work, { action: "Cannot read recordings", name, code: "recording-unreadable", timeoutMs });
  const writing = <Result>(name: string, work: () => Promise<Result>) =>
    inTime(work, { action: "Cannot write recordings", name, code: "recording-unwritable", timeoutMs });
  return {
    find: async (key) => {
      const found: unknown = (await reading("find", async () => await store.find(key))) ?? undefined;
      if (found === undefined || v.is(RecordedAnswer, found)) return found;
      throw odd("find", found);
    },
    like: async (role, signature) => {
      const found: unknown = await reading("like", async () => await store.like(role, signature));
      if (v.is(v.array(RecordingDocument), found)) return found;
      throw odd("like", found);
    },
    findClock: async (call) => {
      const found: unknown = (await reading("findClock", async () => await store.findClock?.(call))) ?? undefined;
      if (found === undefined) return undefined;
      const time = new Date(typeof found === "string" ? found : Number.NaN);
      if (Number.isNaN(time.getTime())) throw odd("findClock", found);
      return time;
    },
    add: async (recording) => await writing("add", async () => await store.add(recording)),
    addClock: async (call, at) => await writing("addClock", async () => await store.addClock?.(call, at)),
    prepare: async (mode) => await writing("prepare", async () => await store.prepare?.(mode)),
    flush: async () => await writing("flush", async () => await store.flush()),
  };
}

interface Work {
  readonly action: string;
  readonly name: string;
  readonly code: "recording-unreadable" | "recording-unwritable";
  readonly timeoutMs: number;
}

async function inTime<Result>(work: () => Promise<Result>, { action, name, code, timeoutMs }: Work): Promise<Result> {
  using limit = startTimeLimit(timeoutMs);
  try {
    return await limit.until(work());
  } catch (thrown) {
    const cause = readableError(thrown);
    if (isCallweaveError(cause)) throw cause;
    const words = limit.expired() ? `it did not answer within ${timeoutMs} ms` : storeErrorWords(cause);
    const hint = "Check the store that was passed to createRecordings()";
    throw new ModelError(`${action}: ${name}() of their store failed: ${words}`, { code, path: [name], hint, cause });
  }
}

function odd(name: string, found: unknown): ModelError {
  return new ModelError(`Cannot read recordings: ${name}() of their store returned ${shown(found)}`, {
    code: "recording-unreadable",
    path: [name],
    hint: "Return what was added to the store, or undefined",
  });
}

function storeErrorWords(error: unknown): string {
  return error instanceof Error ? thrownWords(error) : shown(error);
}

/** Contents of a recordings file, by key. */
interface Kept {
  readonly recordings: Map<string, Recording>;
  readonly clocks: Map<string, RecordedClock>;
}

const PATH = rule("the path of a file", (value) => typeof value === "string" && value !== "");

/**
 * Stores recordings in a JSON file for version control: sorted, with one line per line of a prompt. The file is read
 * before the first call and written by `flush`, atomically and under a lock (`NAME.lock`). Recordings that other
 * processes added in the meantime are kept.
 *
 * @throws {ModelError} `invalid-option`. The methods throw `recording-unreadable` when the file exists but cannot be
 *   read or has another format, and `recording-unwritable`.
 */
export function fileRecordings(path: string): RecordingStore {
  const given = { path: path ?? null };
  checkOptions(given, { path: PATH }, ModelError, "Cannot use recordings");
  const added: Kept = { recordings: new Map(), clocks: new Map() };
  let read: Promise<Kept> | undefined;
  const known = () => {
    read ??= readRecordings(path);
    return read;
  };
  return {
    prepare: async (mode) => {
      await known();
      if (mode !== "replay") await orUnwritable(path, checkWritable(path));
    },
    find: async (key) => added.recordings.get(key) ?? (await known()).recordings.get(key),
    add: async (recording) => void added.recordings.set(recording.key, redacted(recording)),
    like: async (role, signature) =>
      [...(await known()).recordings.values(), ...added.recordings.values()].filter(
        (recording) => recording.role === role && recording.signature === signature,
      ),
    findClock: async (call) => {
      const key = clockKey(call);
      return (added.clocks.get(key) ?? (await known()).clocks.get(key))?.started_at;
    },
    addClock: async (call, startedAt) => {
      added.clocks.set(clockKey(call), { ...call, started_at: startedAt });
    },
    flush: async () => {
      if (added.recordings.size === 0) return; // do not write a clock alone
      const all = await orUnwritable(
        path,
        withLock(path, async (confirm) => {
          const merged = await readRecordings(path);
          for (const [key, recording] of added.recordings) merged.recordings.set(key, recording);
          for (const [key, clock] of added.clocks) merged.clocks.set(key, clock);
          await writeFileTo(path, formatRecordings(merged), { confirm });
          return merged;
        }),
      );
      added.recordings.clear();
      added.clocks.clear();
      read = Promise.resolve(all);
    },
  };
}

async function readRecordings(path: string): Promise<Kept> {
  let text: string | undefined;
  try {
    text = await readIfPresent(path);
  } catch (cause) {
    const { state, hint } = fileProblem(cause, "read");
    throw unreadable(path, state, hint, cause);
  }
  if (text === undefined) return { recordings: new Map(), clocks: new Map() };
  const document = parsed(path, text);
  return {
    recordings: new Map(document.recordings.map((recording) => [recording.key, recording])),
    clocks: new Map(document.clocks.map((clock) => [clockKey(clock), clock])),
  };
}

function parsed(path: string, text: string): v.InferOutput<typeof RecordingsDocument> {
  try {
    return v.parse(RecordingsDocument, JSON.parse(text.replace(/^\uFEFF/, "")));
  } catch (cause) {
    throw unreadable(
      path,
      "it contains no recordings of this version",
      "Choose another file, or delete it and record again",
      cause,
    );
  }
}

function formatRecordings({ recordings, clocks }: Kept): string {
  const byText =
    <Item>(text: (item: Item) => string) =>
    (a: Item, b: Item) =>
      text(a) < text(b) ? -1 : 1;
  const document = {
    version: 2,
    clocks: [...clocks.values()].toSorted(byText(({ scenario, trial }) => `${scenario} ${trial}`)),
    recordings: [...recordings.values()].toSorted(byText(({ role, signature, key }) => `${role} ${signature} ${key}`)),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

async function orUnwritable<Result>(path: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (cause) {
    if (cause instanceof ModelError) throw cause;
    const { state, hint } = fileProblem(cause, "write");
    throw new ModelError(`Cannot write the recordings to "${path}": ${state}`, {
      code: "recording-unwritable",
      path: [path],
      hint,
      cause,
    });
  }
}

function unreadable(path: string, state: string, hint: string, cause: unknown): ModelError {
  return new ModelError(`Cannot read the recordings in "${path}": ${state}`, {
    code: "recording-unreadable",
    path: [path],
    hint,
    cause,
  });
}

/**
 * How recordings are used. `record`: every call is made and recorded. `replay`: no call is made; a call without a
 * recording is an error. `auto`: recorded calls are replayed, the others are made and recorded. `off`: neither.
 */
export type RecordingMode = (typeof RECORDING_MODES)[number];

/** A store for recordings. */
export interface RecordingStore {
  readonly find: (key: string) => Promise<Recording | undefined>;
  readonly add: (recording: Recording) => Promise<void>;
  /** All recordings of a role and signature, to find the nearest one. */
  readonly like: (role: Role, signature: string) => Promise<readonly Recording[]>;
  /** Writes pending recordings. */
  readonly flush: () => Promise<void>;
  /** Checks that recordings can be read and, unless the mode is `replay`, written. */
  readonly prepare?: (mode: RecordingMode) => Promise<void>;
  /** Returns the recorded start time of a call, in ISO 8601. Absent: replays use the run's clock. */
  readonly findClock?: (call: RecordedCallName) => Promise<string | undefined>;
  readonly addClock?: (call: RecordedCallName, startedAt: string) => Promise<void>;
}

/** Whether a value has the methods of a {@link RecordingStore}. */
export function isRecordingStore(value: unknown): boolean {
  if (!isRecord(value)) return false;
  return (
    ["find", "add", "like", "flush"].every((name) => typeof value[name] === "function") &&
    ["prepare", "findClock", "addClock"].every((name) => ["function", "undefined"].includes(typeof value[name]))
  );
}
