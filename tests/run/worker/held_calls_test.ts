import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { openStore, run, type Store, scenario } from "../../../mod.ts";
import { parseScenarios, toScenarios } from "../../../src/document/scenario/mod.ts";
import type { CallQueue } from "../../../src/run/runner/mod.ts";
import { openQueue, startWorker } from "../../../src/run/worker/mod.ts";
import { createJobRunner } from "../../../src/run/worker/start_worker.ts";
import { needsProgram } from "../../programs.ts";
import { CHAT } from "../runner/_fixtures.ts";
import { newResult } from "../store/_fixtures.ts";
import { startRedis } from "./_redis.ts";

const REDIS = { ...needsProgram("redis-server"), timeout: 120_000 };
const SCENARIOS = ["one", "two"].map((name) => scenario(name).says("Hi").visits("chat"));
const HELD = "These are the words of the call that was held before.";

/** Stores a run that ended before its calls were judged. Returns its id. */
async function stoppedRun(store: Store): Promise<string> {
  const stopped = AbortSignal.abort();
  const { id } = await run(CHAT, SCENARIOS, { store, signal: stopped, share: { codeVersion: "1" } });
  const held = newResult({ scenario: "two", trial: 1, status: "cancelled" });
  const transcript = held.transcript.map((message) => ({ ...message, content: HELD }));
  await store.keepUnjudged(id, [{ ...held, transcript }]);
  return id;
}

/** Resumes it with a queue. Returns the last words of the agent in each call, and how many calls are left. */
async function resumed(store: Store, resume: string, queue: CallQueue) {
  const report = await run(CHAT, SCENARIOS, { store, share: { resume, queue, codeVersion: "1" } });
  const ended = report.results.filter(({ status }) => status !== "cancelled");
  const left = await store.unjudgedCalls(report.id);
  return ended.map(({ scenario, status, transcript }) => [
    scenario,
    status,
    transcript.some(({ content }) => content === HELD),
    left.length,
  ]);
}

const JUDGED = [
  ["one", "pass", false, 0],
  ["two", "pass", true, 0],
];

test("a resumed run with a queue has stored calls judged, and does not hold them again", async () => {
  await using store = await openStore(":memory:");
  const id = await stoppedRun(store);
  const runJob = createJobRunner({ store, graph: CHAT, scenarios: [], codeVersion: "1" });
  const asked: unknown[] = [];
  const queue: CallQueue = {
    feed: async ({ runId, settings, signal }) => ({
      runCall: async (call) => {
        asked.push([call.slot.scenario, call.isHeld ?? false]);
        return { kind: "stored", resultId: (await runJob({ runId, settings, ...call }, signal)).id };
      },
      drop: () => {},
      close: async () => {},
    }),
  };
  assert.deepEqual(await resumed(store, id, queue), JUDGED);
  assert.deepEqual(asked, [
    ["one", false],
    ["two", true],
  ]);
});

test("a worker that has lost the stored call holds it", async () => {
  await using store = await openStore(":memory:");
  const { id: runId } = await run(CHAT, SCENARIOS, { store, signal: AbortSignal.abort() });
  const runJob = createJobRunner({ store, graph: CHAT, scenarios: [], codeVersion: "1" });
  const slot = { scenario: "two", trial: 1, attempt: 2 };
  const [, own] = parseScenarios(toScenarios(SCENARIOS));
  assert.ok(own);
  const job = { runId, slot, scenario: own, settings: {}, needs: [], isHeld: true };
  assert.equal((await runJob(job, new AbortController().signal)).status, "pass");
});

test("calls that wait for their verdicts reach the worker by Redis", REDIS, async () => {
  await using redis = await startRedis();
  const db = join(redis.folder, "results.db");
  await using store = await openStore(db);
  const id = await stoppedRun(store);
  await using queue = await openQueue(redis.url);
  await using _ = await startWorker(redis.url, { store: db });
  assert.deepEqual(await resumed(store, id, queue), JUDGED);
});
