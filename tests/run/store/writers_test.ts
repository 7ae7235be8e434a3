import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { createClient } from "@libsql/client";
import { openStore } from "../../../src/run/store/mod.ts";
import { openStoreByClock } from "../../../src/run/store/open.ts";
import { TestClock } from "../../test_clock.ts";
import { inFolder, newResult, newRun, runScript, runWriter } from "./_fixtures.ts";

// On a busy machine these take longer than a runner's usual limit.
const SLOW = { timeout: 120_000 };

const PROCESSES = 4;
const RUNS = 3;
const RESULTS = 25;

test("processes that open and write a new file concurrently lose nothing", SLOW, () =>
  inFolder(async (folder) => {
    const path = join(folder, "shared", "results.db");
    const outputs = await Promise.all(
      Array.from({ length: PROCESSES }, () => runWriter([path, String(RUNS), String(RESULTS)])),
    );
    const written = outputs.flatMap((output) => output.trim().split(/\s+/)).sort();
    const store = await openStore(path);
    const runs = await store.listRuns();
    assert.deepEqual(runs.map(({ id }) => id).sort(), written);
    assert.equal(new Set(written).size, PROCESSES * RUNS);
    for (const { id, counts, finishedAt } of runs) {
      assert.equal(counts.pass, RESULTS);
      assert.notEqual(finishedAt, null);
      const { results } = await store.showRun(id);
      assert.deepEqual(
        results.map(({ trial }) => trial).sort((a, b) => a - b),
        Array.from({ length: RESULTS }, (_, trial) => trial),
      );
    }
    await store.close();
  }),
);

test("processes that share a run and add the same trials store each trial once", SLOW, () =>
  inFolder(async (folder) => {
    const path = join(folder, "results.db");
    const shares = [1, 21, 41].map((first) => [path, "build", String(first), "40", "60"]);
    const ids = await Promise.all(shares.map((args) => runScript("_joiner.ts", args)));
    assert.equal(new Set(ids).size, 1);
    const store = await openStore(path);
    const { run, results } = await store.showRun(ids[0]?.trim() ?? "");
    assert.deepEqual([run.counts.pass, run.finishedAt === null], [60, false]);
    assert.deepEqual(
      results.map(({ trial }) => trial).sort((a, b) => a - b),
      Array.from({ length: 60 }, (_, index) => index + 1),
    );
    await store.close();
  }),
);

test("several stores of one process on one file lose nothing", SLOW, () =>
  inFolder(async (folder) => {
    const path = join(folder, "results.db");
    const stores = await Promise.all(Array.from({ length: 5 }, () => openStore(path)));
    const [first] = stores;
    assert.ok(first);
    const { id } = await first.startRun(newRun());
    await Promise.all(
      stores.flatMap((store) => Array.from({ length: 20 }, () => store.addResult(id, newResult({ status: "fail" })))),
    );
    assert.equal((await first.findRun(id)).counts.fail, 100);
    await Promise.all(stores.map((store) => store.close()));
  }),
);

test("writes wait while another process locks the file", SLOW, () =>
  inFolder(async (folder) => {
    const path = join(folder, "results.db");
    const clock = new TestClock();
    const store = await openStoreByClock(path, {}, clock);
    const { id } = await store.startRun(newRun());
    const other = createClient({ url: `file:${path}` });
    for (let round = 1; round <= 2; round++) {
      const lock = await other.transaction("write");
      const waiting = Promise.all([store.addResult(id, newResult()), store.addResult(id, newResult())]);
      await clock.pausing(); // a try has failed
      await lock.rollback();
      assert.equal((await clock.runUntil(waiting, 250)).status, "fulfilled");
      assert.equal((await store.findRun(id)).counts.pass, 2 * round);
    }
    other.close();
    await store.close();
  }),
);

test("a write times out when another process locks the file too long", SLOW, () =>
  inFolder(async (folder) => {
    const path = join(folder, "results.db");
    const clock = new TestClock();
    const store = await openStoreByClock(path, { storeTimeoutMs: 500, spool: join(folder, "spool") }, clock);
    const { id } = await store.startRun(newRun());
    const other = createClient({ url: `file:${path}` });
    const lock = await other.transaction("write");
    const outcome = await clock.runUntil(store.addResult(id, newResult()), 250);
    assert.ok(outcome.status === "rejected");
    assert.match(String(outcome.reason), /another process has locked it/);
    await lock.rollback();
    assert.deepEqual((await store.findRun(id)).counts.pass, 0);
    await store.addResult(id, newResult());
    assert.deepEqual((await store.findRun(id)).counts.pass, 1);
    other.close();
    await store.close();
  }),
);
