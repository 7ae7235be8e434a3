import type {
  CallList,
  CallPage,
  ListedCall,
  PlatformName,
  RecordedCall,
  Stretch,
  UnreadableCall,
} from "../../../../platforms/mod.ts";
import { isCallweaveError } from "../../../base/errors.ts";
import type { Store } from "../../store/mod.ts";
import type { ImportCounts } from "../import/mod.ts";
import { type CallReaders, readRecords } from "../read/mod.ts";
import { gaps, without } from "./covered.ts";
import { notePulled } from "./pull_state.ts";
import { storedIdOf } from "./stored_id.ts";

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

/** Reads calls from a platform, and records which intervals are complete once their calls are stored. */
export class PulledCalls {
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
