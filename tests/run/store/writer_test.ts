import assert from "node:assert/strict";
import { test } from "node:test";
import { isCallweaveError, StoreError } from "../../../src/base/errors.ts";
import type { ResultRecord } from "../../../src/run/store/mod.ts";
import { newResultRecord } from "../../../src/run/store/rows/statements.ts";
import { ResultWriter, type WriterTarget } from "../../../src/run/store/writer.ts";
import { TestClock } from "../../test_clock.ts";
import { newResult } from "./_fixtures.ts";

const TIMING = { timeoutMs: 30_000, requestTimeoutMs: 10_000 };

interface Fake {
  readonly writer: ResultWriter;
  readonly clock: TestClock;
  /** Ids of each transaction. */
  readonly batches: (readonly string[])[];
  readonly spooled: string[];
}

/** A writer with a scripted database. */
function writerTo(store: (records: readonly ResultRecord[], attempt: number) => void | Promise<void>): Fake {
  const clock = new TestClock();
  const batches: (readonly string[])[] = [];
  const spooled: string[] = [];
  const target: WriterTarget = {
    location: { kind: "file", url: "file:/results.db", shown: "results.db", secrets: [] },
    timing: { ...TIMING, clock },
    database: {
      tryToStore: async (records) => {
        batches.push(records.map(({ id }) => id));
        await store(records, batches.length);
        return new Map();
      },
      tryToFinish: async () => [],
      isLost: false,
    },
    spool: {
      take: async (records, failure) => {
        spooled.push(...records.map(({ id }) => id));
        return new StoreError(`${failure.message}; spooled`, { code: "result-spooled", hint: "" });
      },
      takeRun: async (_run, _what, failure) => failure,
    },
  };
  return { writer: new ResultWriter(target), clock, batches, spooled };
}

const record = (id: string) => newResultRecord(id, "run", newResult());
const ids = (count: number) => Array.from({ length: count }, (_, index) => `r${index}`);
const failing = (code: string) => Object.assign(new Error("as the database says"), { code });

test("results that arrive during a transaction share the next one", async () => {
  let open = (): void => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const { writer, batches } = writerTo((_, attempt) => (attempt === 1 ? gate : undefined));
  const added = ids(120).map((id) => writer.add(record(id), undefined));
  open();
  await Promise.all(added);
  assert.deepEqual(
    batches.map(({ length }) => length),
    [1, 50, 50, 19],
  );
  assert.deepEqual(batches.flat(), ids(120));
});

test("a full disk is retried until the time limit, then results are spooled", async () => {
  const { writer, clock, batches, spooled } = writerTo(() => {
    throw failing("SQLITE_FULL");
  });
  const outcome = await clock.runUntil(writer.add(record("a"), undefined), 1_000);
  assert.ok(outcome.status === "rejected" && isCallweaveError(outcome.reason));
  assert.equal(outcome.reason.code, "result-spooled");
  assert.match(outcome.reason.message, /Cannot store result in "results.db": the disk is full; spooled/);
  assert.deepEqual(spooled, ["a"]);
  assert.ok(batches.length > 3, `${batches.length} tries`);
});

test("waiting results are stored when the disk has space again", async () => {
  const { writer, clock, spooled } = writerTo((_, attempt) => {
    if (attempt < 4) throw failing("SQLITE_FULL");
  });
  const outcome = await clock.runUntil(Promise.all(ids(10).map((id) => writer.add(record(id), undefined))), 1_000);
  assert.equal(outcome.status, "fulfilled");
  assert.deepEqual(spooled, []);
});

test("retry pauses grow to five seconds", async () => {
  const { writer, clock } = writerTo(() => {
    throw failing("ECONNREFUSED");
  });
  const pauses: number[] = [];
  const pause = clock.pause;
  clock.pause = (ms, signal) => {
    pauses.push(ms);
    return pause(ms, signal);
  };
  await clock.runUntil(writer.add(record("a"), undefined), 250);
  const atMost = [50, 100, 200, 400, 800, 1_600, 3_200, 5_000];
  for (const [index, ms] of pauses.slice(0, atMost.length).entries())
    assert.ok(ms >= (atMost[index] ?? 0) / 2 && ms <= (atMost[index] ?? 0), `pause ${index} is ${ms}`);
});

test("each result has its own time limit, however many wait", async () => {
  const { writer, clock, spooled } = writerTo(() => {
    throw failing("ECONNREFUSED");
  });
  const early = writer.add(record("early"), undefined);
  await clock.pausing();
  clock.advance(20_000);
  const late = writer.add(record("late"), undefined);
  await clock.runUntil(early, 10_000);
  assert.deepEqual(spooled, ["early"]);
  await clock.runUntil(late, 10_000);
  assert.deepEqual(spooled, ["early", "late"]);
});

test("at most 1,000 results wait in memory for a database that does not answer", async () => {
  const { writer, clock, spooled } = writerTo(() => {
    throw failing("ECONNREFUSED");
  });
  const outcomes: Promise<unknown>[] = ids(1_000).map((id) => writer.add(record(id), undefined));
  await clock.pausing();
  assert.deepEqual(spooled, []);
  const one = writer.add(record("one too many"), undefined);
  await assert.rejects(one, { code: "result-spooled" });
  assert.deepEqual(spooled, ["one too many"]);
  await clock.runUntil(Promise.allSettled(outcomes), 30_000);
  assert.equal(spooled.length, 1_001);
});

test("a rejected result does not block the others of its transaction", async () => {
  let open = (): void => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const { writer, spooled } = writerTo(async (records, attempt) => {
    if (attempt === 1) await gate;
    if (records.some(({ id }) => id === "r3")) throw failing("SQLITE_TOOBIG");
  });
  const added = Promise.allSettled(ids(6).map((id) => writer.add(record(id), undefined)));
  open();
  const rejected = (await added).flatMap(({ status }, index) => (status === "rejected" ? [index] : []));
  assert.deepEqual(rejected, [3]);
  assert.deepEqual(spooled, ["r3"]);
});

test("an aborted signal removes a result that was not sent", async () => {
  let open = (): void => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const { writer, batches } = writerTo(() => gate);
  const controller = new AbortController();
  const sent = writer.add(record("sent"), undefined);
  const waiting = writer.add(record("waiting"), controller.signal);
  controller.abort();
  await assert.rejects(waiting, { code: "aborted" });
  open();
  await sent;
  await writer.close();
  assert.deepEqual(batches, [["sent"]]);
});

test("results wait for a file that other processes write to, as long as some are written", async () => {
  const { writer, clock, batches, spooled } = writerTo((_, attempt) => {
    if (attempt % 2 === 1) throw failing("SQLITE_BUSY");
    clock.advance(20_000);
  });
  const added = ids(1_200).map((id) => writer.add(record(id), undefined));
  const outcome = await clock.runUntil(Promise.all(added), 250);
  assert.deepEqual([outcome.status, spooled], ["fulfilled", []]);
  assert.equal(batches.length, 2 * 24);
});

test("results are spooled when other processes lock a file for the whole time limit", async () => {
  const { writer, clock, spooled } = writerTo((_, attempt) => {
    if (attempt > 1) throw failing("SQLITE_BUSY");
  });
  const outcomes = ids(1_100).map((id) => writer.add(record(id), undefined));
  await clock.runUntil(Promise.allSettled(outcomes), 250);
  assert.equal(spooled.length, 1_099); // the first result was written alone
});
