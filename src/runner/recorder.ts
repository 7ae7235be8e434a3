import { randomUUID } from "node:crypto";
import { isCallweaveError } from "../errors.ts";
import { type NewResult, type NewRun, openStore, type ResultRecord, type Store } from "../store/mod.ts";

/** Where the results of one run go, whether they are stored or not. */
export interface Recorder {
  readonly runId: string;
  /** Shown address of the store; `null`: nothing is stored. */
  readonly store: string | null;
  /** The first failure of the store since the run has started. */
  readonly error: () => string | null;
  /** Stores a result. A store that fails does not stop the run: the result is in the report all the same. */
  add(result: NewResult): Promise<ResultRecord>;
  finish(at: Date): Promise<void>;
  /** Closes the store if the recorder has opened it. */
  close(): Promise<void>;
}

/**
 * Starts the record of a run.
 *
 * @throws {StoreError} When the store cannot be opened, or does not take the run.
 */
export async function startRecord(run: NewRun, target: Store | string | false | undefined): Promise<Recorder> {
  if (target === false) return recordNowhere();
  const opened = typeof target === "object" ? undefined : await openStore(target);
  const store = opened ?? target;
  if (typeof store !== "object") throw new TypeError("a store is open here");
  const close = async () => await opened?.close();
  try {
    const { id } = await store.startRun(run);
    return { ...recordIn(store, id), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function recordIn(store: Store, runId: string): Omit<Recorder, "close"> {
  let failure: string | null = null;
  const remember = (error: unknown) => {
    failure ??= isCallweaveError(error) ? `${error.message} (${error.hint})` : String(error);
  };
  return {
    runId,
    store: store.url,
    error: () => failure,
    add: async (result) => {
      try {
        return await store.addResult(runId, result);
      } catch (error) {
        remember(error);
        return recordOf(runId, result);
      }
    },
    finish: async (at) => {
      try {
        await store.finishRun(runId, { finished_at: at.toISOString() });
      } catch (error) {
        remember(error);
      }
    },
  };
}

function recordNowhere(): Recorder {
  const runId = randomUUID();
  return {
    runId,
    store: null,
    error: () => null,
    add: async (result) => recordOf(runId, result),
    finish: async () => {},
    close: async () => {},
  };
}

/** The record of a result that no store has. */
function recordOf(runId: string, result: NewResult): ResultRecord {
  const { trial = 1, started_at = new Date().toISOString(), ...rest } = result;
  return { id: randomUUID(), run_id: runId, trial, started_at, ...rest };
}
