import assert from "node:assert/strict";
import { copyFile, mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { isCallweaveError } from "../../../src/base/errors.ts";
import { openStore, type Store } from "../../../src/run/store/mod.ts";
import { openStoreByClock } from "../../../src/run/store/open.ts";
import { TestClock } from "../../test_clock.ts";
import { GRAPH, inFolder, newResult, newRun } from "./_fixtures.ts";

const SLOW = { timeout: 120_000 };

/** Trials 1 to 3 before the file is harmed and 4 to 6 after it; gives what is stored under its name at the end. */
async function storedAround(
  harm: (path: string) => Promise<void>,
  after: (store: Store, runId: string) => Promise<void> = addMore,
) {
  let shown: Awaited<ReturnType<Store["showRun"]>> | undefined;
  let restored = 0;
  await inFolder(async (folder) => {
    const path = join(folder, "data", "results.db");
    const store = await openStore(path, { spool: join(folder, "spool") });
    const { id } = await store.startRun(newRun());
    for (const trial of [1, 2, 3]) await store.addResult(id, newResult({ trial }));
    await harm(path);
    await after(store, id);
    assert.equal(store.status().spoolFile, null);
    restored = store.status().restored;
    await store.close();
    await using reader = await openStore(path, { create: false });
    shown = await reader.showRun(id);
  });
  assert.ok(shown);
  return { shown, restored, trials: shown.results.map(({ trial }) => trial) };
}

async function addMore(store: Store, runId: string): Promise<void> {
  await Promise.all([4, 5, 6].map((trial) => store.addResult(runId, newResult({ trial }))));
  assert.equal((await store.finishRun(runId)).counts.pass, 6);
}

async function deleteFile(path: string): Promise<void> {
  for (const ending of ["", "-wal", "-shm"]) await rm(path + ending, { force: true });
}

test("a database file deleted during a run is created again with every result", SLOW, async () => {
  const { shown, restored, trials } = await storedAround(deleteFile);
  assert.deepEqual(trials, [1, 2, 3, 4, 5, 6]);
  assert.equal(restored, 1);
  assert.equal(shown.run.counts.pass, 6);
  assert.notEqual(shown.run.finishedAt, null);
  assert.deepEqual(shown.graph, GRAPH);
});

test("a deleted database is noticed even if its other files remain", SLOW, async () => {
  assert.deepEqual((await storedAround((path) => rm(path))).trials, [1, 2, 3, 4, 5, 6]);
});

test("a database is created again together with its folder", SLOW, async () => {
  assert.deepEqual((await storedAround((path) => rm(dirname(path), { recursive: true }))).trials, [1, 2, 3, 4, 5, 6]);
});

test("a database that replaced the first one gets the run too", SLOW, async () => {
  const { trials } = await storedAround(async (path) => {
    const other = `${path}.other`;
    const store = await openStore(other);
    await store.close();
    await deleteFile(path);
    await rename(other, path);
  });
  assert.deepEqual(trials, [1, 2, 3, 4, 5, 6]);
});

test("a database restored from an older copy gets the missing results", SLOW, () =>
  inFolder(async (folder) => {
    const path = join(folder, "results.db");
    const store = await openStore(path);
    const older = await store.startRun(newRun({ agent: "older" }));
    await store.addResult(older.id, newResult());
    await store.finishRun(older.id);
    await store.close();
    await copyFile(path, `${path}.copy`);

    await using writer = await openStore(path, { spool: join(folder, "spool") });
    const { id } = await writer.startRun(newRun());
    await writer.addResult(id, newResult({ trial: 1 }));
    await deleteFile(path);
    await rename(`${path}.copy`, path);
    await writer.addResult(id, newResult({ trial: 2 }));
    await using reader = await openStore(path);
    assert.deepEqual(
      (await reader.listRuns()).map(({ id, counts }) => [id, counts.pass]),
      [
        [id, 2],
        [older.id, 1],
      ],
    );
  }),
);

test("a file deleted after the last result is noticed when the run finishes", SLOW, async () => {
  const { trials, shown } = await storedAround(deleteFile, async (store, id) => void (await store.finishRun(id)));
  assert.deepEqual(trials, [1, 2, 3]);
  assert.notEqual(shown.run.finishedAt, null);
});

test("results of a database that cannot be created again are spooled, and recover() writes them", () =>
  inFolder(async (folder) => {
    const path = join(folder, "data", "results.db");
    const spool = join(folder, "spool");
    const clock = new TestClock();
    const store = await openStoreByClock(path, { spool }, clock);
    const { id } = await store.startRun(newRun());
    await store.addResult(id, newResult({ trial: 1 }));
    await deleteFile(path);
    await mkdir(path); // a folder in its place
    const added = await clock.runUntil(store.addResult(id, newResult({ trial: 2 })), 5_000);
    assert.ok(added.status === "rejected" && isCallweaveError(added.reason), "it is not stored");
    assert.equal(added.reason.code, "result-spooled");
    await rm(path, { recursive: true });
    // the database is back, empty; what it had taken before is in the store's memory still
    const finished = await clock.runUntil(store.finishRun(id), 5_000);
    assert.equal(finished.status, "fulfilled");
    assert.equal((await store.recover()).results, 1);
    assert.deepEqual(
      (await store.showRun(id)).results.map(({ trial }) => trial),
      [1, 2],
    );
    await store.close();
  }));

test("closing a store with an unfinished run loses nothing in a deleted file", SLOW, () =>
  inFolder(async (folder) => {
    const path = join(folder, "results.db");
    const spool = join(folder, "spool");
    for (const [mend, stored] of [
      [async () => {}, 1],
      [async () => void (await mkdir(path)), 0],
    ] as const) {
      const store = await openStore(path, { spool });
      const { id } = await store.startRun(newRun());
      await store.addResult(id, newResult());
      await deleteFile(path);
      await mend();
      await store.close();
      assert.deepEqual(store.status().displaced, { spooled: 1 - stored, lost: 0 });
      if (stored === 0) await rm(path, { recursive: true });
      await using reader = await openStore(path, { spool });
      assert.equal((await reader.showRun(id)).results.length, 1);
    }
  }),
);

test("when database and spool both fail, the error says that the result is not stored", () =>
  inFolder(async (folder) => {
    const path = join(folder, "data", "results.db");
    const clock = new TestClock();
    const store = await openStoreByClock(path, { spool: join(path, "spool") }, clock);
    const { id } = await store.startRun(newRun());
    await deleteFile(path);
    await mkdir(path);
    await rm(dirname(path), { recursive: true });
    await openStore(dirname(path)).then((file) => file.close()); // a file where the folders would have to be
    const added = await clock.runUntil(store.addResult(id, newResult()), 5_000);
    assert.ok(added.status === "rejected" && isCallweaveError(added.reason));
    assert.equal(added.reason.code, "store-failed");
    assert.match(added.reason.message, /the spool file cannot be written either/);
    assert.equal(store.status().spoolFile, null);
    await store.close();
  }));
