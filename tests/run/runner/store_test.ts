import assert from "node:assert/strict";
import { test } from "node:test";
import { StoreError } from "../../../src/base/errors.ts";
import type { Caller } from "../../../src/call/callers/mod.ts";
import { scripted } from "../../../src/call/models/mod.ts";
import { reportOf, run } from "../../../src/run/runner/mod.ts";
import { openStore, type Store } from "../../../src/run/store/mod.ts";
import { inFolder } from "../store/_fixtures.ts";
import { BILLING_CALL, billingModel, CHAT, DESK, verdict } from "./_fixtures.ts";

test("run() stores the results of its report", async () => {
  await using store = await openStore(":memory:");
  const model = billingModel(2, [{ verdicts: [verdict(1, 0.5, { evidence: "Never said" })] }]);
  const scenarios = [
    { name: "judged", ...BILLING_CALL, metrics: ["polite"] },
    { name: "checked", ...BILLING_CALL, visits: ["billing"] },
  ];
  const report = await run(DESK, scenarios, {
    models: { agent: model },
    store,
    name: "desk",
    limits: { concurrency: 1 },
  });
  const stored = await store.showRun(report.id);
  assert.deepEqual(stored.results, report.results);
  assert.equal(stored.results[0]?.verdicts[0]?.evidenceFound, false);
  assert.deepEqual(stored.run.counts, report.counts);
  assert.equal(stored.run.agent, "desk");
  assert.equal(stored.run.kind, "simulated");
  assert.equal(stored.run.startedAt, report.startedAt);
  assert.deepEqual(stored.graph, DESK);
  const again = reportOf(stored, store.url);
  assert.deepEqual({ ...again, durationMs: 0 }, { ...report, durationMs: 0 });
});

test("run() stores each result as soon as it is finished", async () => {
  await using store = await openStore(":memory:");
  let id = "";
  const stored: (readonly string[])[] = [];
  const look: Caller = {
    next: async () => {
      stored.push((await store.listResults({ runId: id })).map(({ scenario }) => scenario));
      return { hangUp: "caller_ended" };
    },
  };
  await run(
    CHAT,
    ["a", "b", "c"].map((name) => ({ name, excludes: ["never said"] })),
    {
      models: { agent: scripted({}) },
      store,
      limits: { concurrency: 1 },
      createCaller: () => look,
      listeners: {
        onProgress: (event) => {
          if (event.kind === "run-start") id = event.id;
        },
      },
    },
  );
  assert.deepEqual(stored, [[], ["a"], ["b", "a"]]);
});

test("run() opens a store by its URL and closes it again", async () => {
  await inFolder(async (folder) => {
    const url = `${folder}/results.db`;
    const report = await run(CHAT, [{ name: "a", says: ["Hi"], excludes: ["never said"] }], {
      models: { agent: scripted({}) },
      store: url,
    });
    await using store = await openStore(url);
    assert.equal((await store.showRun(report.id)).results.length, 1);
    assert.equal(report.store, store.url);
  });
});

test("run() does not start when its store cannot be opened", async () => {
  await inFolder(async (folder) => {
    const agent = scripted({});
    const refused = run(CHAT, [{ name: "a", says: ["Hi"], excludes: ["never said"] }], {
      models: { agent },
      store: folder,
    });
    await assert.rejects(refused, { name: "StoreError", code: "store-unavailable" });
    assert.equal(agent.calls.length, 0);
  });
});

test("run() continues when its store fails, and says so", async () => {
  await using opened = await openStore(":memory:");
  const store: Store = {
    ...opened,
    addResult: async () => {
      throw new StoreError("Cannot store result: the disk is full", { code: "store-failed", hint: "Make room" });
    },
  };
  const scenarios = [
    { name: "a", says: ["Hi"], excludes: ["never said"] },
    { name: "b", says: ["Hi"], excludes: ["never said"] },
  ];
  const report = await run(CHAT, scenarios, { models: { agent: scripted({}) }, store });
  assert.equal(report.storeError, "Cannot store result: the disk is full (Make room)");
  assert.deepEqual(
    report.results.map(({ status }) => status),
    ["pass", "pass"],
  );
});
