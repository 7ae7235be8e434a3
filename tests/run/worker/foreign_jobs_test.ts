import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { Queue, Worker } from "bullmq";
import { ScenarioError } from "../../../src/base/errors.ts";
import { parseGraph } from "../../../src/document/graph/mod.ts";
import { run } from "../../../src/run/runner/mod.ts";
import { parseCallJob } from "../../../src/run/worker/call_job.ts";
import { connectionOf, QUEUE } from "../../../src/run/worker/connection.ts";
import { openQueue, startWorker } from "../../../src/run/worker/mod.ts";
import { needsProgram } from "../../programs.ts";
import { startRedis } from "./_redis.ts";

const REDIS = { ...needsProgram("redis-server"), timeout: 120_000 };

const GRAPH = parseGraph({ entry_node_id: "bye", nodes: { bye: { node_type: "end", state_prompt: "Say goodbye." } } });
const SCENARIOS = [{ name: "bye", says: ["Hi"], ends: "agent_ended" as const }];
const JOB = {
  runId: "run",
  slot: { scenario: "bye", trial: 1, attempt: 1 },
  scenario: { name: "bye", says: ["Hi"] },
  settings: {},
  needs: [],
};

test("parseCallJob() takes calls only", () => {
  assert.equal(parseCallJob(JOB), JOB);
  const { slot: _, ...rest } = JOB;
  const slot = (change: object) => ({ ...JOB, slot: { ...JOB.slot, ...change } });
  const wrong: readonly unknown[] = [
    ...[undefined, null, 5, "run", [], {}, [JOB], rest],
    ...[slot({ trial: 0 }), slot({ trial: "1" }), slot({ attempt: 1.5 }), slot({ scenario: 5 })],
    ...[
      { ...JOB, runId: "" },
      { ...JOB, scenario: null },
      { ...JOB, scenario: { name: 5 } },
    ],
    ...[
      { ...JOB, settings: [] },
      { ...JOB, needs: [5] },
      { ...JOB, variables: [null] },
      { ...JOB, variables: [{}] },
    ],
  ];
  for (const value of wrong)
    assert.throws(
      () => parseCallJob(value),
      (error) => error instanceof ScenarioError && error.code === "queue-failed",
      JSON.stringify(value),
    );
});

test("a worker says what else is in the queue, and goes on with the calls", REDIS, async () => {
  await using redis = await startRedis();
  const store = join(redis.folder, "results.db");
  const foreign = new Queue(QUEUE, { connection: connectionOf(redis.url) });
  for (const data of ["text", 5, null, [], {}, { slot: null }, { ...JOB, slot: {} }]) await foreign.add("call", data);
  const warnings: string[] = [];
  await using _ = await startWorker(redis.url, { store, onWarning: ({ warning }) => void warnings.push(warning) });
  await using queue = await openQueue(redis.url);
  const report = await run(GRAPH, SCENARIOS, { store, share: { queue } });
  assert.deepEqual([report.counts.pass, report.counts.error], [1, 0]);
  const failed = await foreign.getFailed();
  assert.equal(failed.length, 7);
  for (const { failedReason, attemptsMade } of failed) {
    assert.match(failedReason, /^Cannot run a queued call: the queue has something else/);
    assert.equal(attemptsMade, 1);
  }
  assert.equal(warnings.length, 7);
  await foreign.close();
});

for (const answer of ["done", null, {}, { resultId: 5 }, { resultId: "no-such-result" }])
  test(`a call whose worker answers ${JSON.stringify(answer)} is an error, and the run ends`, REDIS, async () => {
    await using redis = await startRedis();
    const store = join(redis.folder, "results.db");
    const foreign = new Worker(QUEUE, async () => answer, { connection: connectionOf(redis.url) });
    await foreign.waitUntilReady();
    await using queue = await openQueue(redis.url);
    const report = await run(GRAPH, SCENARIOS, { store, share: { queue } });
    assert.deepEqual([report.counts.pass, report.counts.error], [0, 1]);
    assert.match(report.results[0]?.errorMessage ?? "", /worker/);
    await foreign.close();
  });
