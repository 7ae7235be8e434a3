import { randomUUID } from "node:crypto";
import { isCallweaveError, StoreError } from "../../base/errors.ts";
import { redact } from "../../base/redaction/mod.ts";
import { wordsWithHint } from "../../base/values/mod.ts";
import {
  createIdSource,
  type NewResult,
  type NewRun,
  openStore,
  type ResultRecord,
  type RunPart,
  type Store,
  type StoreStatus,
  spoolWarnings,
  type WaitOptions,
} from "../store/mod.ts";
import type { ResultPlace } from "./options.ts";
import { formatShard } from "./plan/mod.ts";
import type { StorageReport } from "./report.ts";

/** A result and its place. */
export interface Recorded {
  readonly result: ResultRecord;
  readonly place: ResultPlace;
}

/** Stores the results of one run, or keeps them in memory when the run has no store. */
export interface Recorder {
  readonly runId: string;
  /** Results that the run already had at the start: it is resumed, or shared with other processes. */
  readonly storedResults: readonly ResultRecord[];
  /**
   * Stores a result. Resolves when the result is in the store, is in the spool file, or could not be written. A failing
   * store does not stop the run; the report still has the result. Do not await it on the path of a call.
   */
  add(result: NewResult): Promise<Recorded>;
  /** Takes a finished call of this trial that waited for its verdicts when an earlier process of the run ended. */
  takeUnjudged(scenario: string, trial: number): ResultRecord | undefined;
  /** Keeps a finished call that waits for its verdicts, until its result is added. It is lost if the store fails. */
  keepUnjudged(call: NewResult): void;
  /** Returns a stored result. */
  readonly find: (id: string) => Promise<ResultRecord | undefined>;
  /**
   * Marks the run as finished, unless results are lost, and returns where its results are.
   *
   * @param earlier Number of the report's results that were stored before.
   */
  finish(at: Date, earlier: number): Promise<StorageReport>;
  /** Closes the store if the recorder opened it. */
  close(): Promise<void>;
}

/** The run to store: a new one, a part of a shared one, or one to resume. */
export interface RecordedRun extends NewRun {
  readonly shard?: RunPart;
}

/**
 * Opens the store if necessary and creates the run in it, joins it, or resumes it.
 *
 * @throws {StoreError} When the store cannot be opened, or the run cannot be written; `unknown-run`, `different-plan`,
 *   `invalid-option` for a run without a store that is to be joined or resumed.
 */
export async function startRecord(run: RecordedRun, target: Store | string | false | undefined): Promise<Recorder> {
  if (target === false) {
    if (run.resume !== undefined || run.joinRun !== undefined) throw withoutStore(run);
    return recordNowhere();
  }
  const opened = typeof target === "object" ? undefined : await openStore(target);
  const store = opened ?? target;
  if (typeof store !== "object") throw new TypeError("a store is open here");
  const close = async () => await opened?.close();
  try {
    const before = store.status();
    if (run.resume !== undefined && opened === undefined) await store.recover(); // openStore() has just done so
    const { id, counts } = await store.startRun(await placed(run, store));
    const isShared = Object.values(counts).some((count) => count > 0);
    const storedResults = isShared ? (await store.showRun(id)).results : [];
    const isKnown = run.resume !== undefined || run.joinRun !== undefined;
    const unjudged = isKnown ? await store.unjudgedCalls(id) : [];
    return { ...recordIn(store, id, opened ? { ...before, recovered: 0 } : before, unjudged), storedResults, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Decides how a shard is stored: as a part of the run that it shares with other shards, or, if it shares none, as a run
 * of its own whose plan names the shard.
 */
async function placed({ shard, ...run }: RecordedRun, store: Store): Promise<NewRun> {
  if (shard === undefined) return run;
  const stored = run.resume === undefined ? undefined : await store.findRun(run.resume);
  const isOwn = stored === undefined ? run.joinRun === undefined : stored.plan?.shard !== undefined;
  return isOwn ? { ...run, plan: { ...run.plan, shard: formatShard(shard) } } : { ...run, part: shard };
}

function withoutStore({ resume }: NewRun): StoreError {
  const what = resume === undefined ? "join a run" : `resume run "${resume}"`;
  const hint = "Choose a store, or leave it out for the default one";
  return new StoreError(`Cannot ${what}: store is false`, { code: "invalid-option", path: ["store"], hint });
}

/** How long a run waits at its end for a store to accept results that neither it nor the spool file accepted. */
const LAST_CHANCE_MS = 5_000;

/** A result that is not in the store. */
interface Missing {
  readonly record: ResultRecord;
  /** Whether it is in the spool file. */
  readonly spooled: boolean;
}

function recordIn(
  store: Store,
  runId: string,
  before: StoreStatus,
  earlier: readonly ResultRecord[],
): Omit<Recorder, "close" | "storedResults"> {
  const unjudged = new Map(earlier.map((call) => [trialKey(call), call]));
  const toKeep = new Map<string, NewResult>();
  let keeping: Promise<void> | undefined;
  const keepAll = async () => {
    while (toKeep.size > 0) {
      const calls = [...toKeep.values()];
      toKeep.clear();
      await store.keepUnjudged(runId, calls).catch(() => {}); // they are held again if the run is resumed
    }
    keeping = undefined;
  };
  const nextId = createIdSource();
  const missing = new Map<string, Missing>();
  let stored = 0;
  let failure: string | null = null;
  const remember = (error: unknown) => {
    failure ??= redact(wordsWithHint(error));
  };
  const add = async (given: NewResult, wait: WaitOptions = {}): Promise<Recorded> => {
    const id = given.id ?? nextId();
    if (given.status !== "cancelled") toKeep.delete(trialKey(given));
    const result = { ...given, id, attempt: given.attempt ?? 1 }; // at most one result per trial and attempt is stored
    try {
      const record = await store.addResult(runId, result, wait);
      stored++;
      missing.delete(id);
      return { result: record, place: "stored" };
    } catch (error) {
      remember(error);
      const record = recordOf(runId, result);
      const spooled = isCallweaveError(error) && error.code === "result-spooled";
      missing.set(id, { record, spooled });
      return { result: record, place: spooled ? "spooled" : "lost" };
    }
  };
  /** Writes the missing results if the database is available again. */
  const catchUp = async () => {
    const lost = [...missing.values()].filter(({ spooled }) => !spooled);
    const signal = AbortSignal.timeout(LAST_CHANCE_MS);
    await Promise.all(lost.map(({ record }) => add(record, { signal })));
    const { results } = await store.recover();
    if (results === 0) return;
    const slots = new Set((await store.listResults({ runId: runId, limit: Infinity })).map(attemptKey));
    for (const [id, { record }] of missing) if (slots.has(attemptKey(record)) && missing.delete(id)) stored++;
  };
  return {
    runId,
    add: async (result) => await add(result),
    takeUnjudged: (scenario, trial) => {
      const key = trialKey({ scenario, trial });
      const call = unjudged.get(key);
      unjudged.delete(key);
      return call;
    },
    keepUnjudged: (call) => {
      toKeep.set(trialKey(call), call);
      keeping ??= keepAll();
    },
    find: async (id) => await store.findResult(id),
    finish: async (at, storedCount) => {
      let unfinished = false;
      await keeping;
      try {
        if (missing.size > 0) await catchUp().catch(remember);
        const lost = [...missing.values()].filter(({ spooled }) => !spooled).length;
        // an unfinished run can be resumed, and passes no gate
        if (lost > 0) throw new Error(`"${store.url}" lacks ${lost} results of the run`);
        const { counts } = await store.finishRun(runId, { finishedAt: at.toISOString() });
        const found = Object.values(counts).reduce((sum, count) => sum + count, 0);
        if (found < stored) throw new Error(`"${store.url}" has only ${found} of ${stored} results that it has taken`);
      } catch (error) {
        unfinished = true;
        remember(error);
      }
      const spooled = [...missing.values()].filter((each) => each.spooled).length;
      const status = store.status();
      const displaced = {
        spooled: status.displaced.spooled - before.displaced.spooled,
        lost: status.displaced.lost - before.displaced.lost,
      };
      return {
        store: store.url,
        storeError: missing.size > 0 || unfinished ? failure : null,
        stored: storedCount + stored - displaced.spooled - displaced.lost,
        spooled: spooled + displaced.spooled,
        lost: missing.size - spooled + displaced.lost,
        spoolFile: spooled + displaced.spooled > 0 ? status.spoolFile : null,
        storeWarnings: warningsOf(before, status),
      };
    },
  };
}

/** Identifies a result within its run: an equal one of another process has another id. */
function attemptKey({ scenario, trial, attempt }: Pick<ResultRecord, "scenario" | "trial" | "attempt">): string {
  return JSON.stringify([scenario, trial, attempt]);
}

function trialKey({ scenario, trial = 1 }: Pick<NewResult, "scenario" | "trial">): string {
  return JSON.stringify([scenario, trial]);
}

function warningsOf(before: StoreStatus, status: StoreStatus): readonly string[] {
  const { recovered, restored } = status;
  const fromSpool = recovered - before.recovered;
  const again = "The database was deleted or replaced during the run; it was created again with all results of the run";
  return [
    ...(restored > before.restored ? [again] : []),
    ...(fromSpool > 0 ? [`${fromSpool} results of earlier runs were written from the spool to the database`] : []),
    ...spoolWarnings(status),
  ];
}

function recordNowhere(): Recorder {
  const runId = randomUUID();
  return {
    runId,
    storedResults: [],
    takeUnjudged: () => undefined,
    keepUnjudged: () => {},
    add: async (result) => ({ result: recordOf(runId, result), place: "unstored" }),
    find: async () => undefined,
    finish: async () => NOT_STORED,
    close: async () => {},
  };
}

const NOT_STORED: StorageReport = {
  store: null,
  storeError: null,
  stored: 0,
  spooled: 0,
  lost: 0,
  spoolFile: null,
  storeWarnings: [],
};

/** Builds the record of a result that was not stored. */
function recordOf(runId: string, result: NewResult): ResultRecord {
  const { id = randomUUID(), trial = 1, attempt = 1, startedAt = new Date().toISOString(), ...rest } = result;
  return { id, runId: runId, trial, attempt, startedAt, ...rest };
}
