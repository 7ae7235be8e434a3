import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { Queue, QueueEvents } from "bullmq";
import { connectionOf, QUEUE } from "../../../../src/run/worker/connection.ts";
import { needsProgram } from "../../../programs.ts";
import { startRedis } from "../../../run/worker/_redis.ts";
import { CASE, callweave, folder, GRAPH } from "../_terminal.ts";

const REDIS = { ...needsProgram("redis-server"), timeout: 120_000 };
const FAILS = { ...CASE, name: "is never said", includes: ["aardvark"] };
const path = folder({ "agent.json": GRAPH, "tests.json": [CASE, FAILS] });
const RUN = ["run", join(path, "agent.json"), "--tests", join(path, "tests.json")];

/** Starts `callweave worker` in this process; resolves when it takes calls. */
async function startWorker(args: readonly string[]) {
  const stop = new AbortController();
  let ready = () => {};
  const taking = new Promise<void>((resolve) => {
    ready = resolve;
  });
  const onErr = (text: string) => {
    if (text.startsWith("taking calls")) ready();
  };
  const ended = callweave(["worker", ...args], { signal: stop.signal, onErr });
  await Promise.race([taking, ended]);
  return {
    stop: () => {
      stop.abort();
      return ended;
    },
  };
}

test("run --queue leaves the calls to a worker, and reports and exits as a run in its own process", REDIS, async () => {
  await using redis = await startRedis();
  const shared = ["--queue", redis.url, "--db", join(redis.folder, "results.db")];
  const worker = await startWorker([...shared, "--json"]);
  const ran = await callweave([...RUN, ...shared, "--json"]);
  const passing = await callweave([...RUN, ...shared, "--scenario", CASE.name]);
  const ended = await worker.stop();
  assert.equal(ran.code, 1, ran.err);
  const report = JSON.parse(ran.out);
  assert.deepEqual([report.counts.pass, report.counts.fail, report.stored, report.storeError], [1, 1, 2, null]);
  const verdicts = report.scenarios.map(({ scenario, verdict }: Record<string, unknown>) => [scenario, verdict]);
  assert.deepEqual(verdicts, [
    [CASE.name, "pass"],
    [FAILS.name, "fail"],
  ]);
  assert.equal(passing.code, 0, passing.err);
  assert.match(passing.out, /gives a name/);
  assert.equal(ended.code, 0, ended.err);
  const lines = ended.out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(lines.map(({ scenario }) => scenario).sort(), [CASE.name, CASE.name, FAILS.name]);
  const finished = lines.filter(({ runId }) => runId === report.id).map(({ id }) => id);
  assert.deepEqual(finished.sort(), report.results.map(({ id }: { readonly id: string }) => id).sort());
});

test("Ctrl-C while calls of run --queue wait cancels them and takes them out of the queue", REDIS, async () => {
  await using redis = await startRedis();
  const connection = connectionOf(redis.url);
  await using queue = opened(new Queue(QUEUE, { connection }));
  await using events = opened(new QueueEvents(QUEUE, { connection, lastEventId: "0" })); // also those of before it listens
  await Promise.all([queue.it.waitUntilReady(), events.it.waitUntilReady()]);
  const stop = new AbortController();
  const waiting = new Set<string>();
  events.it.on("added", ({ jobId }) => {
    if (waiting.add(jobId).size === 2) stop.abort();
  });
  const ran = await callweave([...RUN, "--queue", redis.url, "--db", join(redis.folder, "results.db"), "--json"], {
    signal: stop.signal,
  });
  const { counts, stored } = JSON.parse(ran.out);
  assert.deepEqual([counts.cancelled, counts.pass, stored], [2, 0, 2]);
  assert.equal(ran.code, 1, ran.err);
  const left = Object.values(await queue.it.getJobCounts()).reduce((sum, count) => sum + count, 0);
  assert.equal(left, 0);
});

function opened<Item extends { close: () => Promise<void> }>(it: Item) {
  return { it, [Symbol.asyncDispose]: () => it.close() };
}
