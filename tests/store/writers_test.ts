import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { openStore } from "../../src/store/mod.ts";
import { inFolder, newResult, newRun, runWriter } from "./_fixtures.ts";

const PROCESSES = 4;
const RUNS = 3;
const RESULTS = 25;

test("processes that open a fresh file at once and write to it lose nothing", () =>
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
    for (const { id, counts, finished_at } of runs) {
      assert.equal(counts.pass, RESULTS);
      assert.notEqual(finished_at, null);
      const { results } = await store.showRun(id);
      assert.deepEqual(
        results.map(({ trial }) => trial).sort((a, b) => a - b),
        Array.from({ length: RESULTS }, (_, trial) => trial),
      );
    }
    await store.close();
  }));

test("stores of one process on one file lose nothing", () =>
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
  }));
