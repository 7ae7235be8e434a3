import assert from "node:assert/strict";
import { appendFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { VarianceSample } from "../../../src/document/transcript/mod.ts";
import { openStore } from "../../../src/run/store/mod.ts";
import { newResultRecord } from "../../../src/run/store/rows/statements.ts";
import { SpoolFile } from "../../../src/run/store/spool/spool_file.ts";
import { AUDIT, inFolder, newResult, newRun } from "./_fixtures.ts";

test("addResult() stores one result per scenario, trial and attempt, and returns the stored one", () =>
  inFolder(async (folder) => {
    const path = join(folder, "results.db");
    await using one = await openStore(path);
    await using other = await openStore(path);
    const { id } = await one.startRun(newRun());
    const first = await one.addResult(id, newResult({ trial: 2, attempt: 1, status: "invalid" }));
    const again = newResult({ trial: 2, attempt: 1, status: "pass", transcript: [] });
    assert.deepEqual(await other.addResult(id, again), first);
    assert.deepEqual(await one.addResult(id, again), first);
    const second = await one.addResult(id, newResult({ trial: 2, attempt: 2 }));
    assert.notEqual(second.id, first.id);
    const { run, results } = await one.showRun(id);
    assert.deepEqual(results, [first, second]);
    assert.deepEqual([run.counts.pass, run.counts.invalid], [1, 1]);
  }));

test("results without an attempt may repeat a scenario and trial", async () => {
  await using store = await openStore(":memory:");
  const { id } = await store.startRun(newRun());
  await Promise.all([newResult(), newResult(), newResult({ attempt: 1 })].map((each) => store.addResult(id, each)));
  assert.equal((await store.findRun(id)).counts.pass, 3);
});

const VARIANCE: VarianceSample = {
  calls: [
    {
      status: "judged",
      endReason: "agent_ended",
      errorMessage: null,
      judgements: [{ passed: true, verdicts: [{ criterion: "polite", score: 0.9, passed: true }] }],
    },
    { status: "error", errorMessage: "no answer", transcript: [], judgements: [] },
  ],
};

test("results keep what the caller audit and the search for variance found", async () => {
  await using store = await openStore(":memory:");
  const { id } = await store.startRun(newRun());
  const found = { audit: AUDIT, variance: VARIANCE };
  const added = await store.addResult(id, newResult(found));
  assert.deepEqual({ audit: added.audit, variance: added.variance }, found);
  assert.deepEqual(await store.findResult(added.id), added);
});

test("a spooled result is recovered with its new fields, unless its trial and attempt are stored by then", () =>
  inFolder(async (folder) => {
    const path = join(folder, "results.db");
    const spool = join(folder, "spool");
    await using store = await openStore(path, { spool });
    const { id } = await store.startRun(newRun());
    const stored = await store.addResult(id, newResult({ attempt: 1 }));
    const [same, next] = [1, 2].map((attempt) =>
      newResultRecord(`${attempt}`.repeat(20), id, newResult({ attempt, status: "invalid", audit: AUDIT })),
    );
    assert.ok(same && next);
    const lines = [same, next].map((record) => ({ kind: "result", record }) as const);
    await new SpoolFile([spool], path, () => "0".repeat(20)).append(lines, []);
    const { results, damaged, unreadable } = await store.recover();
    assert.deepEqual([results, damaged, unreadable], [1, 0, []]);
    assert.deepEqual((await store.showRun(id)).results, [next, stored]);
  }));

test("spool files of earlier versions are recovered", () =>
  inFolder(async (folder) => {
    const path = join(folder, "results.db");
    const spool = join(folder, "spool");
    await using store = await openStore(path, { spool });
    const { id } = await store.startRun(newRun());
    await new SpoolFile([spool], path, () => "0".repeat(20)).append([], []);
    const [name = ""] = await readdir(spool);
    const result = {
      ...{
        id: "1".repeat(20),
        run_id: id,
        scenario: "old",
        trial: 1,
        status: "pass",
        started_at: "2026-01-02T03:04:05Z",
      },
      ...{
        turn_count: 1,
        duration_ms: 5,
        end_reason: "agent_ended",
        error_message: null,
        transcript: [],
        verdicts: [],
      },
      ...{ checks: [], nodes_visited: [], tools_called: [], variables: {} },
      usage: { calls: 0, input_tokens: 0, output_tokens: 0, model_ms: 0 },
    };
    const finished = { run_id: id, at: "2026-01-02T03:04:06.000Z" };
    await appendFile(join(spool, name), `${JSON.stringify({ result })}\n${JSON.stringify({ finished })}\n`);
    assert.deepEqual((await store.recover()).results, 1);
    const { run, results } = await store.showRun(id);
    assert.deepEqual([run.finishedAt, results.length, results[0]?.attempt], [finished.at, 1, undefined]);
  }));
