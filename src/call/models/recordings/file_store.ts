import * as v from "valibot";
import { ModelError } from "../../../base/errors.ts";
import { checkWritable, fileProblem, readIfPresent, withLock, writeFileTo } from "../../../base/files/mod.ts";
import { checkOptions, rule } from "../../../base/values/mod.ts";
import { type RecordedClock, RecordingsDocument } from "./document.ts";
import { clockKey, type Recording } from "./recording.ts";
import { redacted } from "./redacted.ts";
import type { RecordingStore } from "./store.ts";

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
