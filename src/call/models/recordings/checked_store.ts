import * as v from "valibot";
import { isCallweaveError, ModelError } from "../../../base/errors.ts";
import { readableError, shown, startTimeLimit, thrownWords } from "../../../base/values/mod.ts";
import { RecordedAnswer, RecordingDocument } from "./document.ts";
import type { Recording } from "./recording.ts";
import type { RecordingStore } from "./store.ts";

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
