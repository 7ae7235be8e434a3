import assert from "node:assert/strict";
import { test } from "node:test";
import type { Caller } from "../../../src/call/callers/mod.ts";
import { scripted } from "../../../src/call/models/mod.ts";
import { run } from "../../../src/run/runner/mod.ts";
import { openStore } from "../../../src/run/store/mod.ts";
import { CHAT } from "./_fixtures.ts";

const NAMES = ["done", "hanging", "never begun"];

test("run() keeps finished results and marks the rest as cancelled when it is aborted", async () => {
  await using store = await openStore(":memory:");
  const controller = new AbortController();
  const hanging: Caller = {
    next: () => {
      controller.abort();
      return new Promise(() => {}); // a caller that never says anything, and does not listen to its signal
    },
  };
  const report = await run(
    CHAT,
    NAMES.map((name) => ({ name, says: ["Hi"], includes: ["…"] })),
    {
      models: { agent: scripted({}) },
      store,
      limits: { concurrency: 1 },
      signal: controller.signal,
      createCaller: ({ name }) => (name === "hanging" ? hanging : undefined),
    },
  );
  const expected = [
    { scenario: "done", status: "pass", endReason: "caller_exhausted" },
    { scenario: "hanging", status: "cancelled", endReason: "aborted" },
    { scenario: "never begun", status: "cancelled", endReason: undefined },
  ];
  const shown = report.results.map(({ scenario, status, endReason }) => ({ scenario, status, endReason }));
  assert.deepEqual(shown, expected);
  assert.equal(report.results[1]?.transcript.length, 1);
  assert.equal(report.passed, false);
  assert.equal(report.counts.cancelled, 2);
  const stored = await store.showRun(report.id);
  assert.deepEqual(stored.results, report.results);
  assert.notEqual(stored.run.finishedAt, null);
});

test("run() marks a call as cancelled when it is aborted during judging", async () => {
  const controller = new AbortController();
  const abort = () => {
    controller.abort();
    return new Error("cut off");
  };
  const report = await run(CHAT, [{ name: "judged", says: ["Hi"], metrics: ["polite"] }], {
    models: { agent: scripted({}), judge: scripted({ judge: [abort] }) },
    store: false,
    signal: controller.signal,
  });
  assert.equal(report.results[0]?.status, "cancelled");
  assert.equal(report.results[0]?.errorMessage, null);
  assert.equal(report.results[0]?.transcript.length, 3);
});

test("run() with an aborted signal starts no call", async () => {
  const agent = scripted({});
  const signal = AbortSignal.abort();
  const report = await run(CHAT, [{ name: "a", says: ["Hi"], excludes: ["never said"] }], {
    models: { agent },
    store: false,
    signal,
  });
  assert.equal(report.results[0]?.status, "cancelled");
  assert.equal(agent.calls.length, 0);
});
