import assert from "node:assert/strict";
import { test } from "node:test";
import { flow, run, scenario } from "../../../mod.ts";
import { reportOf } from "../../../src/run/runner/mod.ts";
import { addUsage } from "../../../src/run/runner/report.ts";
import { openStore, type StoredRun } from "../../../src/run/store/mod.ts";

const hello = flow("hello").conversation("greet", { prompt: "Greet the caller." }).compile();

/** A stored run of one passed call that took 90 s. */
async function storedRun(): Promise<StoredRun> {
  await using store = await openStore(":memory:");
  const { id } = await run(hello, [scenario("greets", hello).says("Hi").visits("greet")], { store });
  const stored: StoredRun = JSON.parse(JSON.stringify(await store.showRun(id)));
  const times = { startedAt: "2026-01-01T00:00:00.000Z", finishedAt: "2026-01-01T00:01:30.000Z" };
  return { ...stored, run: { ...stored.run, ...times } };
}

test("reportOf() reports a stored run like run(): results, counts, usage and duration", async () => {
  const stored = await storedRun();
  const { results, counts, usage, passed, durationMs, offline, stored: count, store } = reportOf(stored, "results.db");
  assert.deepEqual(
    [results, counts.pass, passed, durationMs, offline, count, store],
    [...[stored.results, 1, true, 90_000, true, 1, "results.db"]],
  );
  assert.deepEqual(usage, addUsage(stored.results.map((result) => result.usage)));
  assert.deepEqual([reportOf(stored).stored, reportOf(stored).store], [0, null]);
});

test("reportOf() of an unfinished run has no duration, and has not passed", async () => {
  const stored = await storedRun();
  const { passed, durationMs, counts } = reportOf({ ...stored, run: { ...stored.run, finishedAt: null } });
  assert.deepEqual([passed, durationMs, counts.pass], [false, 0, 1]);
  // clocks of two machines may differ
  const early = reportOf({ ...stored, run: { ...stored.run, finishedAt: "2025-12-31T23:59:59.000Z" } });
  assert.deepEqual([early.passed, early.durationMs], [true, 0]);
});

test("reportOf() refuses what is no stored run", async () => {
  const stored = await storedRun();
  const { run: head, results } = stored;
  const [result] = results;
  const wrong: readonly unknown[] = [
    ...[
      null,
      "run",
      {},
      { run: head },
      { results },
      { run: "1", results },
      { run: { ...head, models: "offline" }, results },
    ],
    ...[
      { run: { ...head, startedAt: 7 }, results },
      { run: { ...head, finishedAt: 7 }, results },
    ],
    ...[
      { run: head, results: "none" },
      { run: head, results: ["none"] },
      { run: head, results: [{ ...result, usage: 1 }] },
    ],
    { run: head, results: [{ ...result, usage: { ...result?.usage, byRole: "agent" } }] },
    { run: head, results: [{ ...result, usage: { ...result?.usage, byRole: { agent: {}, caller: {} } } }] },
  ];
  for (const value of wrong)
    assert.throws(() => reportOf(JSON.parse(JSON.stringify(value))), { code: "invalid-option", path: ["stored"] });
  assert.throws(() => reportOf(stored, JSON.parse("7")), { code: "invalid-option", path: ["store"] });
});

test("addUsage() adds calls, tokens and retries; costs only if all are known", () => {
  const total = { calls: 1, inputTokens: 10, outputTokens: 5, modelMs: 100 };
  const byRole = {
    agent: { ...total, costUsd: 0.5 },
    caller: { ...total, costUsd: 0.25 },
    judge: { ...total, costUsd: 0 },
  };
  assert.deepEqual(
    addUsage([
      { ...total, costUsd: 0.5 },
      { ...total, costUsd: 0.25, retries: 2 },
    ]),
    {
      ...{ calls: 2, inputTokens: 20, outputTokens: 10, modelMs: 200 },
      costUsd: 0.75,
      retries: 2,
    },
  );
  assert.equal(addUsage([{ ...total, costUsd: 0.5 }, total]).costUsd, undefined);
  assert.deepEqual(Object.keys(addUsage([{ ...total, costUsd: 0.5 }])).includes("retries"), false);
  const both = addUsage([
    { ...total, byRole },
    { ...total, byRole },
  ]).byRole;
  assert.deepEqual([both?.agent.costUsd, both?.caller.costUsd, both?.judge.calls], [1, 0.5, 2]);
  assert.equal(addUsage([total]).byRole, undefined);
});
