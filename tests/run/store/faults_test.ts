import assert from "node:assert/strict";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { isCallweaveError } from "../../../src/base/errors.ts";
import { openStore, type Store } from "../../../src/run/store/mod.ts";
import { openStoreByClock } from "../../../src/run/store/open.ts";
import { TestClock } from "../../test_clock.ts";
import { type FaultProxy, startFaultProxy } from "./_fault_proxy.ts";
import { inFolder, newResult, newRun } from "./_fixtures.ts";
import { NO_SQLD, startSqld } from "./sqld_server.ts";

const options = { skip: NO_SQLD ?? false, timeout: 180_000 };

interface Setting {
  readonly proxy: FaultProxy;
  readonly clock: TestClock;
  readonly store: Store;
  readonly spool: string;
  /** The server itself, without the proxy. */
  readonly url: string;
}

/** A store whose server is behind a proxy, with a clock that a test moves. */
async function behindProxy(body: (setting: Setting) => Promise<void>, scheme = "http:"): Promise<void> {
  await inFolder(async (folder) => {
    const server = await startSqld();
    try {
      await using proxy = await startFaultProxy(server.url);
      const clock = new TestClock();
      const spool = join(folder, "spool");
      const store = await openStoreByClock(proxy.url.replace("http:", scheme), { spool }, clock);
      await body({ proxy, clock, store, spool, url: server.url });
      proxy.revive();
      proxy.thaw();
      await store.close();
    } finally {
      await server.stop();
    }
  });
}

const resultsOf = (count: number) => Array.from({ length: count }, (_, index) => newResult({ trial: index + 1 }));

/** The trials of a run that a server has stored. */
async function trialsIn(url: string, runId: string): Promise<readonly number[]> {
  await using store = await openStore(url, { spool: false });
  return (await store.listResults({ runId: runId, limit: Infinity })).map(({ trial }) => trial).sort((a, b) => a - b);
}

const first = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

for (const scheme of ["http:", "ws:"])
  test(`results wait for a server that is briefly unreachable, and are stored once (${scheme})`, options, () =>
    behindProxy(async ({ proxy, clock, store, url }) => {
      const { id } = await store.startRun(newRun());
      proxy.kill();
      const added = Promise.all(resultsOf(40).map((result) => store.addResult(id, result)));
      await clock.pausing();
      assert.deepEqual(await trialsIn(url, id), []);
      proxy.revive();
      assert.equal((await clock.runUntil(added, 5_000)).status, "fulfilled");
      assert.deepEqual(await trialsIn(url, id), first(40));
      assert.equal((await store.finishRun(id)).counts.pass, 40);
    }, scheme),
  );

for (const scheme of ["http:", "ws:"])
  test(`a request without an answer is aborted and retried (${scheme})`, options, () =>
    behindProxy(async ({ proxy, clock, store, url }) => {
      const { id } = await store.startRun(newRun());
      await store.addResult(id, newResult({ trial: 1 })); // its connection is the one that is frozen
      proxy.freeze();
      const added = store.addResult(id, newResult({ trial: 2 }));
      await clock.advanceUntilPausing(500);
      proxy.thaw();
      assert.equal((await clock.runUntil(added, 5_000)).status, "fulfilled");
      assert.deepEqual(await trialsIn(url, id), [1, 2]);
    }, scheme),
  );

test("startRun() and finishRun() retry requests without an answer, within their limit", options, () =>
  behindProxy(async ({ proxy, clock, store, url }) => {
    const unanswered = async <Result>(work: () => Promise<Result>): Promise<Result> => {
      proxy.freeze();
      const waiting = work();
      await clock.advanceUntilPausing(500);
      proxy.thaw();
      const outcome = await clock.runUntil(waiting, 1_000);
      assert.ok(outcome.status === "fulfilled", JSON.stringify(outcome));
      return outcome.value;
    };
    await using seen = await openStore(url, { spool: false });
    const { id } = await unanswered(() => store.startRun(newRun()));
    await store.addResult(id, newResult());
    await unanswered(() => store.finishRun(id));
    assert.deepEqual(
      (await seen.listRuns()).map((run) => [run.id, run.counts.pass, run.finishedAt !== null]),
      [[id, 1, true]],
    );
  }),
);

test("startRun() times out when a server never answers", options, () =>
  behindProxy(async ({ proxy, clock, store }) => {
    proxy.freeze();
    const before = clock.now();
    const outcome = await clock.advanceUntilDone(store.startRun(newRun()), 500);
    assert.ok(outcome.status === "rejected" && isCallweaveError(outcome.reason));
    assert.equal(outcome.reason.code, "store-failed");
    assert.ok(clock.now() - before >= 30_000);
  }),
);

test("a result is stored once without an error when the server's answer is lost", options, () =>
  behindProxy(async ({ proxy, clock, store, url }) => {
    const { id } = await store.startRun(newRun());
    const lost = proxy.loseNextAnswer();
    const added = store.addResult(id, newResult());
    await lost;
    assert.equal((await clock.runUntil(added, 5_000)).status, "fulfilled");
    assert.deepEqual(await trialsIn(url, id), [1]);
    assert.equal((await store.finishRun(id)).counts.pass, 1);
  }),
);

test("a store sends one write at a time, with many results in one", options, () =>
  behindProxy(async ({ proxy, store, url }) => {
    const { id } = await store.startRun(newRun());
    proxy.resetCounts();
    await Promise.all([
      ...resultsOf(60).map((result) => store.addResult(id, result)),
      store.startRun(newRun()),
      store.startRun(newRun()),
    ]);
    assert.equal(proxy.mostAtOnce(), 1);
    assert.deepEqual(await trialsIn(url, id), first(60));
  }),
);

test("results are spooled after the time limit, and the next store writes them", options, () =>
  behindProxy(async ({ proxy, clock, store, spool, url }) => {
    const { id } = await store.startRun(newRun());
    await store.addResult(id, newResult({ trial: 1 }));
    proxy.kill();
    const added = Promise.allSettled(
      [2, 3].map((trial) => store.addResult(id, newResult({ trial, scenario: "line\u2028end" }))),
    );
    await clock.runUntil(added, 5_000);
    for (const outcome of await added) {
      assert.ok(outcome.status === "rejected" && isCallweaveError(outcome.reason));
      assert.equal(outcome.reason.code, "result-spooled");
      assert.match(outcome.reason.message, /the server cannot be reached; the result is in the spool file ".*\.jsonl"/);
    }
    const ended = await clock.runUntil(store.finishRun(id, { finishedAt: "2026-01-02T03:04:05.000Z" }), 5_000);
    assert.ok(ended.status === "rejected" && isCallweaveError(ended.reason) && ended.reason.code === "result-spooled");
    const { spoolFile } = store.status();
    assert.ok(spoolFile !== null);
    if (process.platform !== "win32") assert.equal((await stat(spoolFile)).mode & 0o777, 0o600);
    assert.equal((await readFile(spoolFile, "utf8")).split("\n").length, 6); // head, run, two results, end, and after it

    assert.deepEqual(await trialsIn(url, id), [1]);
    proxy.revive();
    await using next = await openStore(proxy.url, { spool });
    assert.equal(next.status().recovered, 2);
    assert.deepEqual(await trialsIn(url, id), [1, 2, 3]);
    assert.equal((await next.findRun(id)).finishedAt, "2026-01-02T03:04:05.000Z");
    assert.deepEqual(await readdir(spool), []);
  }),
);

test("stores of other servers do not touch a spool", options, () =>
  behindProxy(async ({ proxy, clock, store, spool }) => {
    const { id } = await store.startRun(newRun());
    proxy.kill();
    await clock.runUntil(store.addResult(id, newResult()), 5_000);
    const other = await startSqld();
    try {
      // the spool names its server by host and port: what it holds is not for this one
      await using elsewhere = await openStore(other.url, { spool });
      assert.equal(elsewhere.status().recovered, 0);
      assert.deepEqual((await elsewhere.recover()).otherDatabases, [`${new URL(proxy.url).host}/`]);
      const files = await readdir(spool);
      assert.equal(files.length, 1);
    } finally {
      await other.stop();
    }
  }),
);
