import assert from "node:assert/strict";
import { copyFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { isCallweaveError } from "../../../src/base/errors.ts";
import { fingerprint } from "../../../src/document/graph/mod.ts";
import { openStore, type Store } from "../../../src/run/store/mod.ts";
import { GRAPH, inFolder, newResult, newRun } from "./_fixtures.ts";

// On a busy machine these take longer than a runner's usual limit.
const SLOW = { timeout: 120_000 };

async function inStore(body: (store: Store) => Promise<void>): Promise<void> {
  const store = await openStore(":memory:");
  try {
    await body(store);
  } finally {
    await store.close();
  }
}

const coded = (code: string) => (error: unknown) => isCallweaveError(error) && error.code === code;

test("openStore() creates the folder and the file", () =>
  inFolder(async (folder) => {
    const path = join(folder, "new", "deep", "results.db");
    const store = await openStore(path);
    await store.close();
    assert.ok((await stat(path)).isFile());
    assert.equal(store.url, path);
  }));

test("openStore() accepts paths with characters that are special in URLs", () =>
  inFolder(async (folder) => {
    const path = join(folder, "100% & #1? ü.db");
    const store = await openStore(path);
    const { id } = await store.startRun(newRun());
    await store.close();
    assert.ok((await stat(path)).isFile());
    const again = await openStore(`file:${path.replace(/[%?#]/g, encodeURIComponent)}`);
    assert.equal((await again.findRun(id)).id, id);
    await again.close();
  }));

test("showRun() returns a run as it was stored", () =>
  inFolder(async (folder) => {
    const path = join(folder, "results.db");
    const writer = await openStore(path);
    const started = await writer.startRun(newRun({ startedAt: "2026-01-02T03:04:05.000Z", options: { trials: 2 } }));
    const first = await writer.addResult(started.id, newResult());
    const second = await writer.addResult(started.id, newResult({ trial: 2, status: "fail" }));
    const finished = await writer.finishRun(started.id, { finishedAt: "2026-01-02T03:05:00.000Z" });
    await writer.close();

    const reader = await openStore(path);
    const shown = await reader.showRun(started.id);
    await reader.close();
    assert.deepEqual(shown.run, finished);
    assert.deepEqual(shown.results, [first, second]);
    assert.deepEqual(shown.graph, GRAPH);
    assert.deepEqual(shown.run, {
      ...started,
      finishedAt: "2026-01-02T03:05:00.000Z",
      counts: { pass: 1, fail: 1, error: 0, imported: 0, cancelled: 0, invalid: 0 },
    });
    const { startedAt, ...given } = newResult({ trial: 1 });
    assert.deepEqual(first, { ...given, id: first.id, runId: started.id, startedAt: first.startedAt });
    assert.equal(startedAt, undefined);
    assert.equal(started.graphFingerprint, fingerprint(GRAPH));
  }));

test("addResult() counts every status", () =>
  inStore(async (store) => {
    const { id } = await store.startRun(newRun());
    const statuses = ["pass", "fail", "error", "error", "imported", "cancelled", "invalid"] as const;
    for (const status of statuses) await store.addResult(id, newResult({ status }));
    assert.deepEqual((await store.findRun(id)).counts, {
      pass: 1,
      fail: 1,
      error: 2,
      imported: 1,
      cancelled: 1,
      invalid: 1,
    });
  }));

test("addResult() keeps keys that every object inherits", () =>
  inStore(async (store) => {
    const { id } = await store.startRun(newRun());
    const variables = JSON.parse('{"__proto__": "a", "constructor": "b", "toString": null}');
    await store.addResult(id, newResult({ variables, scenario: "__proto__" }));
    const [result] = (await store.showRun(id)).results;
    assert.equal(JSON.stringify(result?.variables), JSON.stringify(variables));
    assert.equal(result?.scenario, "__proto__");
  }));

test("addResult() keeps characters that databases may change", () =>
  inStore(async (store) => {
    const { id } = await store.startRun(newRun());
    const content = "a\0b \ud83d half, 'quoted' -- \u{1f600}\r\n";
    const [message] = newResult().transcript;
    assert.ok(message);
    const added = await store.addResult(
      id,
      newResult({ scenario: "x\0y\ud83d", transcript: [{ ...message, content }], errorMessage: "'; DROP TABLE" }),
    );
    assert.equal(added.transcript[0]?.content, content);
    assert.equal(added.scenario, "x\ufffdy\ufffd");
    assert.deepEqual(await store.findResult(added.id), added);
  }));

test("addResult() rejects an unknown run and stores nothing", () =>
  inStore(async (store) => {
    await assert.rejects(store.addResult("00000000000000000000", newResult()), coded("unknown-run"));
    assert.deepEqual(await store.listResults(), []);
  }));

test("addResult() rejects values that could not be read back, and stores nothing", () =>
  inStore(async (store) => {
    const { id } = await store.startRun(newRun());
    const usage = { ...newResult().usage, inputTokens: Number.NaN };
    await assert.rejects(store.addResult(id, newResult({ usage })), coded("store-failed"));
    await assert.rejects(store.addResult(id, newResult({ durationMs: Number.NaN })), coded("store-failed"));
    const ring: { self?: unknown } = {};
    ring.self = ring;
    await assert.rejects(store.addResult(id, newResult({ variables: { ring } })), coded("store-failed"));
    assert.deepEqual(await store.listResults(), []);
  }));

test("listRuns() returns filtered pages, newest first", () =>
  inStore(async (store) => {
    const ids: string[] = [];
    for (let i = 0; i < 7; i++) ids.push((await store.startRun(newRun({ agent: i < 3 ? "early" : "late" }))).id);
    const newestFirst = ids.toReversed();
    const idsOf = (records: readonly { readonly id: string }[]) => records.map(({ id }) => id);
    assert.deepEqual(idsOf(await store.listRuns()), newestFirst);
    assert.deepEqual(idsOf(await store.listRuns({ limit: 3 })), newestFirst.slice(0, 3));
    assert.deepEqual(idsOf(await store.listRuns({ limit: 3, before: newestFirst[2] ?? "" })), newestFirst.slice(3, 6));
    assert.deepEqual(idsOf(await store.listRuns({ agent: "early" })), newestFirst.slice(4));
    assert.deepEqual(idsOf(await store.listRuns({ kind: "imported" })), []);
    assert.deepEqual(
      idsOf(await store.listRuns({ graphFingerprint: fingerprint(GRAPH), limit: Infinity })),
      newestFirst,
    );
    assert.deepEqual(idsOf(await store.listRuns({ limit: 0 })), []);
  }));

test("listResults() filters by run, scenario and status", () =>
  inStore(async (store) => {
    const one = await store.startRun(newRun());
    const two = await store.startRun(newRun());
    await store.addResult(one.id, newResult({ scenario: "a" }));
    const failed = await store.addResult(one.id, newResult({ scenario: "b", status: "fail" }));
    await store.addResult(two.id, newResult({ scenario: "b" }));
    assert.deepEqual(
      (await store.listResults({ runId: one.id })).map(({ scenario }) => scenario),
      ["b", "a"],
    );
    assert.equal((await store.listResults({ scenario: "b" })).length, 2);
    const [found, ...others] = await store.listResults({ runId: one.id, status: "fail" });
    assert.equal(found?.id, failed.id);
    assert.deepEqual(others, []);
    assert.ok(found && !("transcript" in found));
  }));

test("countResults() counts all attempts, and the last one of each trial", () =>
  inStore(async (store) => {
    const { id } = await store.startRun(newRun());
    await store.addResult(id, newResult({ scenario: "a", attempt: 1, status: "error" }));
    await store.addResult(id, newResult({ scenario: "a", attempt: 2, status: "pass" }));
    await store.addResult(id, newResult({ scenario: "a", trial: 2, attempt: 1, status: "fail" }));
    const [{ counts, latest } = { counts: null, latest: null }] = await store.countResults(id);
    const none = { imported: 0, cancelled: 0, invalid: 0 };
    assert.deepEqual(counts, { pass: 1, fail: 1, error: 1, ...none });
    assert.deepEqual(latest, { pass: 1, fail: 1, error: 0, ...none });
  }));

test("countResults() counts the criteria of calls that passed or failed, in the order in which they were judged", () =>
  inStore(async (store) => {
    const [verdict] = newResult().verdicts;
    assert.ok(verdict);
    const judged = (criterion: string, score: number) => ({ ...verdict, criterion, score, passed: score > 0.7 });
    const { id } = await store.startRun(newRun());
    const add = async (trial: number, status: "pass" | "fail" | "error", scores: readonly [string, number][]) =>
      await store.addResult(
        id,
        newResult({ trial, attempt: 1, status, verdicts: scores.map(([name, score]) => judged(name, score)) }),
      );
    await add(1, "pass", Object.entries({ polite: 1, brief: 0.5 }));
    await add(2, "fail", Object.entries({ brief: 1, angry: 0 }));
    await add(3, "error", [["polite", 0]]);
    const counts = async () => (await store.countResults(id)).flatMap(({ criteria }) => criteria);
    assert.deepEqual(await counts(), [
      { criterion: "polite", trials: 1, passes: 1, agrees: 1, meanScore: 1 },
      { criterion: "brief", trials: 2, passes: 1, agrees: 0, meanScore: 0.75 },
      { criterion: "angry", trials: 1, passes: 0, agrees: 1, meanScore: 0 },
    ]);
    await store.deleteRun(id);
    assert.deepEqual(await counts(), []);
  }));

test("findRun() accepts a unique prefix of an id", () =>
  inStore(async (store) => {
    const { id } = await store.startRun(newRun());
    assert.equal((await store.findRun(id.slice(0, 12))).id, id);
    assert.equal((await store.findRun(` ${id.toUpperCase()} `)).id, id);
    await store.startRun(newRun());
    await assert.rejects(store.findRun(id.slice(0, 4)), coded("unknown-run"));
    for (const none of ["", "zzzz", "%", "_", "' OR 1=1", "~"]) {
      await assert.rejects(store.findRun(none), coded("unknown-run"), none);
    }
    await assert.rejects(store.showRun("zzzz"), coded("unknown-run"));
    await assert.rejects(store.finishRun("zzzz"), coded("unknown-run"));
  }));

test("showRun() returns all results of a large run, in order", SLOW, () =>
  inStore(async (store) => {
    const { id } = await store.startRun(newRun());
    const added = await Promise.all(
      Array.from({ length: 200 }, (_, index) => store.addResult(id, newResult({ trial: index + 1 }))),
    );
    const shown = await store.showRun(id);
    assert.deepEqual(
      shown.results.map((result) => result.id),
      added.map((result) => result.id).sort(),
    );
  }),
);

test("a closed store rejects calls, and close() can be called twice", async () => {
  const store = await openStore(":memory:");
  await store.close();
  await store[Symbol.asyncDispose]();
  await assert.rejects(store.listRuns(), coded("store-failed"));
});

test("close() waits for pending calls and checkpoints the file", () =>
  inFolder(async (folder) => {
    const store = await openStore(join(folder, "results.db"));
    const { id } = await store.startRun(newRun());
    const added = store.addResult(id, newResult());
    await store.close();
    await copyFile(join(folder, "results.db"), join(folder, "copy.db"));
    const copy = await openStore(join(folder, "copy.db"));
    assert.deepEqual((await copy.showRun(id)).results, [await added]);
    await copy.close();
  }));

test("an aborted signal aborts a call", () =>
  inStore(async (store) => {
    await assert.rejects(store.listRuns({ signal: AbortSignal.abort() }), coded("aborted"));
    await assert.rejects(openStore(":memory:", { signal: AbortSignal.abort() }), coded("aborted"));
  }));
