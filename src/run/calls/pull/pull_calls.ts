import { createHash } from "node:crypto";
import * as v from "valibot";
import {
  type CallList,
  type CallPage,
  type ListedCall,
  PLATFORMS,
  type PlatformName,
  PULL_PLATFORMS,
  type RecordedCall,
  type Stretch,
  type UnreadableCall,
} from "../../../../platforms/mod.ts";
import { CallweaveError, isCallweaveError } from "../../../base/errors.ts";
import { fileProblem, readIfPresent, withLock, writeFileTo } from "../../../base/files/mod.ts";
import {
  type Clock,
  checkOptions,
  eitherSignal,
  isRecord,
  OPTION,
  oneOf,
  rule,
  SYSTEM_CLOCK,
} from "../../../base/values/mod.ts";
import { openStore, type Store } from "../../store/mod.ts";
import {
  IMPORT_RULES,
  type ImportCallsOptions,
  type ImportCounts,
  type ImportReport,
  identityOf,
  storeCalls,
} from "../import/mod.ts";
import { type CallReaders, loadReaders, readRecords } from "../read/mod.ts";
import { gaps, joined, without } from "./covered.ts";

/** A platform from which calls are pulled. */
export type PullPlatform = PlatformName;

/** Options of {@link pullCalls}. */
export interface PullCallsOptions
  extends Pick<ImportCallsOptions, "agent" | "agentName" | "redact" | "store" | "signal" | "onProgress"> {
  /** API key of the workspace. It is never stored. */
  readonly key: string;
  /** Start of the interval to read. */
  readonly since: Date;
  /** End of the interval to read. Default: now. */
  readonly until?: Date;
  /** Only calls of this agent (Retell) or assistant (Vapi), by its id on the platform. */
  readonly agentId?: string;
  /** Maximum number of calls to read and store. */
  readonly limit?: number;
  /** Default: the platform's API. */
  readonly baseUrl?: string;
  /** File that records what earlier pulls read, which is not read again. Default: none, everything is listed. */
  readonly state?: string;
  /** Time limit of one request in milliseconds. Default: 30,000. */
  readonly requestTimeoutMs?: number;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
  readonly clock?: Clock;
}

const { format: _format, name: _name, ...IMPORTED } = IMPORT_RULES;
const RULES = {
  key: rule("an API key", (value) => typeof value === "string" && /^[\x21-\x7e]+$/.test(value)),
  since: rule("a Date", isDate),
  until: rule("a Date", isDate),
  agentId: OPTION.text,
  limit: OPTION.count,
  baseUrl: rule("a web address", (value) => typeof value === "string" && /^https?:/.test(value) && URL.canParse(value)),
  state: OPTION.text,
  requestTimeoutMs: OPTION.milliseconds,
  fetch: OPTION.function,
  clock: OPTION.object,
  ...IMPORTED,
};

/**
 * Reads calls from a platform, page by page, and stores them as `importCalls()` does.
 *
 * A pull that was stopped or failed has stored what it read; the next one continues there. With `state`, a repeated pull
 * lists only intervals that earlier pulls have not listed, the last hour, and calls that were unfinished.
 *
 * Requests are retried after a 429, a 5xx and a broken connection, after the wait that the platform asks for.
 *
 * @throws {PlatformError} `platform-key`, `platform-refused`, `platform-busy`, `platform-answer`,
 * `platform-unreachable` or `aborted`.
 * @throws {CallweaveError} `invalid-option`; {@link StoreError} when calls cannot be stored.
 */
export async function pullCalls(from: PullPlatform, options: PullCallsOptions): Promise<ImportReport> {
  const action = "Cannot pull calls";
  const given = { from: from ?? null, options: options ?? null };
  checkOptions(given, { from: oneOf(...PULL_PLATFORMS), options: OPTION.object }, CallweaveError, action);
  checkOptions(options, RULES, CallweaveError, action);
  if (options.key === undefined || options.since === undefined)
    throw new CallweaveError(`${action}: the key or the start is missing`, {
      code: "invalid-option",
      hint: "Pass key and since",
    });
  const { store: target, signal } = options;
  const store = typeof target === "object" ? target : await openStore(target, signal ? { signal } : {});
  try {
    return await pullInto(store, from, options);
  } finally {
    if (typeof target !== "object") await store.close();
  }
}

async function pullInto(store: Store, from: PullPlatform, options: PullCallsOptions): Promise<ImportReport> {
  const { key, since, agentId, baseUrl, state, signal, clock = SYSTEM_CLOCK, onProgress } = options;
  const stop = new AbortController();
  const stopping = eitherSignal(signal, stop.signal);
  const { requestTimeoutMs, fetch: send } = options;
  const readers = await loadReaders([from]);
  const connect = readers.get(from)?.list;
  if (!connect)
    throw new CallweaveError(`Cannot pull calls: ${PLATFORMS[from].title} does not list them`, {
      code: "invalid-option",
      path: ["from"],
      hint: `Use one of ${PULL_PLATFORMS.join(", ")}`,
    });
  const platform = connect({ key, baseUrl, agentId, requestTimeoutMs, fetch: send, clock, signal: stopping });
  const { store: target } = options;
  const name = pullName([from, key, baseUrl, agentId, typeof target === "string" ? target : undefined]);
  const entry = state === undefined ? { covered: [], result: null } : await readPullState(state, name);
  // if a result of an earlier pull is missing, this is another database, or one that was emptied
  const isOther = entry.result !== null && !(await store.knownResults([entry.result])).has(entry.result);
  if (state !== undefined && isOther) await forgetPulled(state, name);
  const now = clock.now();
  const pulled = new PulledCalls({
    platform,
    readers,
    source: from,
    store,
    stop,
    stretch: { from: since.getTime(), to: options.until?.getTime() ?? now },
    covered: isOther ? [] : entry.covered,
    settledUntil: now - SETTLING_MS,
    limit: options.limit ?? Number.POSITIVE_INFINITY,
    note: state === undefined ? undefined : { path: state, name },
  });
  const { agent, agentName, redact } = options;
  const report = await storeCalls(
    pulled.calls(),
    {
      ...(agent === undefined ? {} : { agent }),
      ...(agentName === undefined ? {} : { agentName }),
      ...(redact === undefined ? {} : { redact }),
      store,
      signal: stopping,
      onProgress: (counts) => {
        pulled.stored(counts);
        onProgress?.(pulled.withListed(counts));
      },
    },
    [from],
  );
  await pulled.finish(report);
  return pulled.withListed(report);
}

/** Calls of the last hour are listed again: platforms list some of them late. */
const SETTLING_MS = 60 * 60 * 1000;

function isDate(value: unknown): boolean {
  return value instanceof Date && !Number.isNaN(value.getTime());
}

/** Number of calls to read concurrently if the list does not contain them. */
const AT_A_TIME = 5;

/** The settings of {@link PulledCalls}. */
export interface PullWork {
  readonly platform: CallList;
  readonly source: PlatformName;
  readonly readers: CallReaders;
  readonly store: Store;
  /** Aborts when the platform fails; calls that were read before are still stored. */
  readonly stop: AbortController;
  readonly stretch: Stretch;
  readonly covered: readonly Stretch[];
  /** Nothing after this time is recorded as read. */
  readonly settledUntil: number;
  readonly limit: number;
  readonly note: { readonly path: string; readonly name: string } | undefined;
}

/** Maximum number of intervals to keep; unfinished calls split them, and the oldest of them are read again. */
const MOST_STRETCHES = 200;

const Entry = v.object({
  covered: v.array(v.object({ from: v.number(), to: v.number() })),
  /** A result that the pull stored; a database without it is another one. */
  result: v.nullable(v.string()),
});

const Document = v.record(v.string(), Entry);

/** Reads calls from a platform, and records which intervals are complete once their calls are stored. */
class PulledCalls {
  readonly #work: PullWork;
  #read = 0;
  #known = 0;
  #open = 0;
  #stored = 0;
  #result: string | null = null;
  #failure: unknown;
  /** Intervals that are complete once a number of calls is stored. */
  readonly #waiting: { readonly after: number; readonly stretches: readonly Stretch[] }[] = [];
  #noted: Promise<void> = Promise.resolve();

  constructor(work: PullWork) {
    this.#work = work;
  }

  /** The calls to store. Ends early when the platform fails; {@link finish} then throws the error. */
  async *calls(): AsyncIterable<RecordedCall | UnreadableCall> {
    const { platform, stretch, covered, stop } = this.#work;
    try {
      for (const gap of gaps(stretch, covered))
        for await (const page of platform.pages(gap)) {
          yield* this.#callsOf(page);
          if (this.#read >= this.#work.limit) return;
          this.#flush();
        }
    } catch (error) {
      this.#failure = error;
      stop.abort();
    }
  }

  stored({ added, known, skipped, damaged }: ImportCounts): void {
    this.#stored = added + known + skipped + damaged;
    this.#flush();
  }

  /** Counts of the import plus those of the list: calls that are stored already, and unfinished calls. */
  withListed<Counts extends ImportCounts>(counts: Counts): Counts {
    return { ...counts, known: counts.known + this.#known, skipped: counts.skipped + this.#open };
  }

  /** Waits until everything is recorded. Throws the platform's error. */
  async finish(counts: ImportCounts): Promise<void> {
    this.stored(counts);
    await this.#noted;
    if (this.#failure !== undefined && !this.#isAborted()) throw this.#failure;
  }

  #isAborted(): boolean {
    return isCallweaveError(this.#failure) && this.#failure.code === "aborted";
  }

  async *#callsOf({ calls, read }: CallPage): AsyncIterable<RecordedCall | UnreadableCall> {
    const { source, store, limit } = this.#work;
    const open = calls.filter(({ isOpen }) => isOpen);
    const closed = calls
      .filter(({ isOpen }) => !isOpen)
      .map((call) => ({ ...call, result: storedIdOf(source, call.id) }));
    const known = await store.knownResults(closed.map(({ result }) => result));
    const fresh = closed.filter(({ result }) => !known.has(result));
    this.#open += open.length;
    this.#known += closed.length - fresh.length;
    this.#result = closed.at(-1)?.result ?? this.#result;
    for (let at = 0; at < fresh.length; at += AT_A_TIME) {
      const group = fresh.slice(at, Math.min(at + AT_A_TIME, at + limit - this.#read));
      for (const reads of await Promise.all(group.map(async (call) => await this.#readOne(call)))) {
        for (const each of reads) {
          this.#read++;
          yield each;
        }
      }
      if (this.#read >= limit) return; // the rest of the page is not read
    }
    this.#waiting.push({ after: this.#read, stretches: this.#settled(read, open) });
  }

  async #readOne({ id, call }: ListedCall): Promise<readonly (RecordedCall | UnreadableCall)[]> {
    const { platform, source, readers } = this.#work;
    const place = { source, position: this.#read + 1, line: null };
    try {
      const found = call ?? (await platform.read(id));
      return readRecords(found, place, readers, source);
    } catch (error) {
      if (!isCallweaveError(error) || error.code !== "platform-missing") throw error;
      return [{ problem: "skipped", reason: `call "${id}" was deleted on the platform`, ...place }];
    }
  }

  /** The parts of an interval that need not be listed again: without the last hour and the moments of unfinished calls. */
  #settled({ from, to }: Stretch, open: readonly ListedCall[]): readonly Stretch[] {
    const closedStretch = { from, to: Math.min(to, this.#work.settledUntil) };
    return without(
      closedStretch,
      open.map(({ at }) => at),
    );
  }

  #flush(): void {
    const { note } = this.#work;
    const done: Stretch[] = [];
    while (this.#waiting[0] && this.#waiting[0].after <= this.#stored)
      done.push(...(this.#waiting.shift()?.stretches ?? []));
    if (!note || done.length === 0) return;
    const result = this.#result;
    this.#noted = this.#noted.then(async () => await notePulled(note.path, note.name, done, result));
    // finish() throws it
    this.#noted.catch(() => {});
  }
}

/** The id under which a platform's call is stored, from its id alone. */
function storedIdOf(format: string, callId: string): string {
  const provenance = { format, callId, source: format, position: 1, redacted: false };
  const call = { provenance, startedAt: null, durationMs: null, transcript: [], nodesVisited: [], toolsCalled: [] };
  return identityOf({ ...call, variables: {} });
}

/** The record of earlier pulls. */
export type PullEntry = v.InferOutput<typeof Entry>;

/** Name of a pull in the state: calls of one agent or of all, of one workspace, into one database. */
function pullName(parts: readonly (string | undefined)[]): string {
  const [platform = ""] = parts;
  return `${platform} ${createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 16)}`;
}

/** Reads the record of earlier pulls of a name; empty if the file does not exist. */
async function readPullState(path: string, name: string): Promise<PullEntry> {
  return (await readDocument(path))[name] ?? { covered: [], result: null };
}

/** Records what was read, merged with what other pulls record at the same time. */
async function notePulled(path: string, name: string, read: readonly Stretch[], result: string | null) {
  await whileWriting(path, async () => {
    const document = await readDocument(path);
    const before = document[name] ?? { covered: [], result: null };
    const covered = joined([...before.covered, ...read]).slice(-MOST_STRETCHES);
    const next = { ...document, [name]: { covered, result: result ?? before.result } };
    await writeFileTo(path, `${JSON.stringify(next, null, 2)}\n`);
  });
}

/** Deletes the record of earlier pulls. */
async function forgetPulled(path: string, name: string): Promise<void> {
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
