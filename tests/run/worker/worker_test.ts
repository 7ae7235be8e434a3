import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { Queue, QueueEvents } from "bullmq";
import { boolean, flow, number, scenario, text, tool } from "../../../dsl/mod.ts";
import { ScenarioError } from "../../../src/base/errors.ts";
import { scripted } from "../../../src/call/models/mod.ts";
import { parseGraph } from "../../../src/document/graph/mod.ts";
import { CHECKS, parseScenarios, type ScenarioSource, toScenarios } from "../../../src/document/scenario/mod.ts";
import { type CallFeed, type RunOptions, run } from "../../../src/run/runner/mod.ts";
import { openStore } from "../../../src/run/store/mod.ts";
import type { CallJob, CallJobResult } from "../../../src/run/worker/call_job.ts";
import { closeConnections, connectionOf, QUEUE } from "../../../src/run/worker/connection.ts";
import { createFeed, watchQueue } from "../../../src/run/worker/feed.ts";
import { openQueue, startWorker, type WorkerOptions } from "../../../src/run/worker/mod.ts";
import { startChatServer } from "../../chat_server.ts";
import { withEnvironment } from "../../environment.ts";
import { needsProgram } from "../../programs.ts";
import { TestClock } from "../../test_clock.ts";
import { startRedis } from "./_redis.ts";

const REDIS = { ...needsProgram("redis-server"), timeout: 120_000 };

const graph = parseGraph({
  entry_node_id: "bye",
  nodes: { bye: { node_type: "end", state_prompt: "Say goodbye." } },
});
const named = (name: string, more: object = {}): ScenarioSource => ({
  name,
  says: ["Hi"],
  ends: "agent_ended",
  ...more,
});

/** Runs scenarios through a Redis with a worker, and returns the report and the stored results. */
async function runQueued(
  scenarios: readonly ScenarioSource[],
  options: RunOptions = {},
  worker: WorkerOptions = {},
  agent = graph,
) {
  await using redis = await startRedis();
  const store = join(redis.folder, "results.db");
  await using queue = await openQueue(redis.url);
  await using _ = await startWorker(redis.url, { store, ...worker });
  const report = await run(agent, scenarios, { store, share: { queue }, ...options });
  await using opened = await openStore(store);
  return { report, stored: (await opened.showRun(report.id)).results };
}

test("a worker runs the calls that a run puts into the queue, and each result is stored once", REDIS, async () => {
  const kinds: string[] = [];
  const { report, stored } = await runQueued([named("a"), named("b", { excludes: ["goodbye", "Goodbye"] })], {
    repeat: { times: 3, sequential: false },

    listeners: { onProgress: ({ kind }) => void kinds.push(kind) },
  });
  assert.deepEqual(
    [report.counts.pass, report.counts.error, report.stored, report.storeError],
    [report.results.filter(({ scenario }) => scenario === "a").length, 0, 6, null],
  );
  const slots = stored.map(({ scenario, trial }) => `${scenario}${trial}`).sort();
  assert.deepEqual(slots, ["a1", "a2", "a3", "b1", "b2", "b3"]);
  assert.deepEqual(
    report.scenarios.map(({ scenario, verdict }) => [scenario, verdict]),
    [
      ["a", "pass"],
      ["b", "fail"],
    ],
  );
  assert.equal(kinds.filter((kind) => kind === "call-start").length, 6);
  assert.equal(kinds.filter((kind) => kind === "call-end").length, 6);
});

test(
  "a worker without the agent's module returns the declared numbers and booleans, like run() alone",
  REDIS,
  async () => {
    const agent = flow("orders", {
      variables: { total: number("Total of the order"), paid: boolean("Whether it is paid"), note: text("Remarks") },
      tools: [
        tool({
          name: "find_order",
          description: "Finds the order",
          url: "https://orders.example",
          responseVariables: { total: "$.total", paid: "$.paid", note: "$.note" },
        }),
      ],
    })
      .function("find", { tool: "find_order", next: ({ to }) => [to("bye")] })
      .end("bye", { prompt: "Say goodbye." })
      .compile();
    const output = { total: 12.5, paid: true, note: "7" };
    const scenarios = [scenario("asks").says("Where is my order?").mock("find_order", output).visits("bye")];
    const { report, stored } = await runQueued(scenarios, {}, {}, agent);
    const alone = await run(agent, scenarios, { store: false });
    const variables = { total: 12.5, paid: true, note: "7" };
    assert.deepEqual(
      [report.results, stored, alone.results].map(([result]) => result?.variables),
      [variables, variables, variables],
    );
  },
);

test(
  "a call that was queued twice is run once: a second run of the same plan waits for the same calls",
  REDIS,
  async () => {
    await using redis = await startRedis();
    const store = join(redis.folder, "results.db");
    await using first = await openQueue(redis.url);
    await using second = await openQueue(redis.url);
    const ended: string[] = [];
    const joinRun = "twice";
    const scenarios = [named("a"), named("b")];
    const both = Promise.all([
      run(graph, scenarios, { store, share: { joinRun, queue: first } }),
      run(graph, scenarios, { store, share: { joinRun, queue: second } }),
    ]);
    await using _ = await startWorker(redis.url, {
      store,
      onResult: ({ result: { scenario } }) => void ended.push(scenario),
    });
    const [one, two] = await both;
    assert.deepEqual([one.id, one.counts.pass, two.counts.pass], [two.id, 2, 2]);
    assert.deepEqual([...ended].sort(), ["a", "b"]);
  },
);

test("a gate that is decided removes the scenario's waiting calls", REDIS, async () => {
  const { report, stored } = await runQueued(
    [named("a")],
    { repeat: { times: 20, gate: { passAny: true } } },
    { concurrency: 1, callsPerMinute: 3 }, // no other call before the gate is decided
  );
  assert.deepEqual([report.passed, report.counts.error, report.counts.cancelled], [true, 0, 0]);
  assert.ok(stored.length <= 3, `${stored.length}`);
});

test("a run that is stopped removes its waiting calls and cancels those that workers run", REDIS, async () => {
  const stop = new AbortController();
  let asked = 0;
  await using server = await startChatServer(() => {
    if (++asked === 2) stop.abort();
    return "hang";
  });
  await withEnvironment({ OPENAI_BASE_URL: server.url, OPENAI_API_KEY: "none-needed-here" }, async () => {
    const { report, stored } = await runQueued(
      ["a", "b", "c", "d"].map((name) => named(name)),
      { models: { agent: "openai/test" }, signal: stop.signal },
      { concurrency: 2 },
    );
    assert.equal(report.counts.cancelled, 4);
    assert.equal(stored.length, 4);
    assert.equal(asked, 2);
  });
});

for (const [what, stops] of [
  ["a run that is stopped", (stop: AbortController) => stop.abort()],
  ["a gate that is decided", (_: AbortController, feed: CallFeed) => feed.drop("a")],
] as const)
  test(`${what} takes out of the queue also a call that Redis does not have yet`, REDIS, async () => {
    await using redis = await startRedis();
    const connection = connectionOf(redis.url);
    const queue = new Queue<CallJob, CallJobResult>(QUEUE, { connection });
    const events = new QueueEvents(QUEUE, { connection });
    const add = queue.add.bind(queue);
    let store = () => {};
    const mayStore = new Promise<void>((resolve) => {
      store = resolve;
    });
    queue.add = async (...args) => {
      await mayStore;
      return await add(...args);
    };
    try {
      const stop = new AbortController();
      const run = { runId: "run", settings: {}, signal: stop.signal };
      const timers = new TestClock();
      const feed = createFeed({ queue, events, run, workerTimeoutMs: 600_000, onWarning: () => {}, timers });
      const [scenario] = parseScenarios(toScenarios([named("a")]));
      assert.ok(scenario);
      const end = feed.runCall({ slot: { scenario: "a", trial: 1, attempt: 1 }, scenario, needs: [] }, () => {});
      stops(stop, feed);
      await queue.getWaitingCount(); // a removal of before is answered first
      store();
      assert.match((await end).kind, /^(?:cancelled|dropped)$/);
      assert.equal(await queue.getWaitingCount(), 0);
      await feed.close();
    } finally {
      await Promise.all([queue.close(), events.close()]);
    }
  });

test(
  "a run that is stopped while Redis does not answer ends its calls, and warns that workers may run them",
  REDIS,
  async () => {
    await using redis = await startRedis();
    const connection = connectionOf(redis.url);
    const queue = new Queue<CallJob, CallJobResult>(QUEUE, { connection });
    const events = new QueueEvents(QUEUE, { connection });
    queue.remove = () => new Promise(() => {});
    try {
      const stop = new AbortController();
      const run = { runId: "run", settings: {}, signal: stop.signal };
      const timers = new TestClock();
      const warnings: string[] = [];
      const onWarning = (warning: string) => void warnings.push(warning);
      const feed = createFeed({ queue, events, run, workerTimeoutMs: 600_000, onWarning, timers });
      const [scenario] = parseScenarios(toScenarios([named("a")]));
      assert.ok(scenario);
      const ends = [1, 2].map((trial) =>
        feed.runCall({ slot: { scenario: "a", trial, attempt: 1 }, scenario, needs: [] }, () => {}),
      );
      stop.abort();
      timers.advance(15_000);
      assert.deepEqual(await Promise.all(ends), [{ kind: "cancelled" }, { kind: "cancelled" }]);
      await feed.close();
      assert.deepEqual(warnings.slice(-1), [
        "Workers may still run 2 calls of this run: Cannot use the queue's Redis: it did not answer within 10000 ms",
      ]);
    } finally {
      await Promise.all([queue.close(), events.close()]);
    }
  },
);

test(
  "a call that needs code of the agent is refused by a worker without the module, and run by one with it",
  REDIS,
  async () => {
    const scenarios = [{ ...named("a"), [CHECKS]: [{ name: "is short", judge: () => true }] }];
    const { report } = await runQueued(scenarios);
    assert.match(
      report.results[0]?.errorMessage ?? "",
      /needs check "is short": the worker was started without a SOURCE/,
    );
    const { report: finished } = await runQueued(scenarios, {}, { graph, scenarios });
    assert.deepEqual([finished.passed, finished.results[0]?.checks.length], [true, 2]);
  },
);

test("run() refuses options and secrets that must not be in a queue, before anything is stored", async () => {
  const queue = { feed: () => Promise.reject(new Error("unreachable")) };
  const code = async (options: RunOptions, scenarios = [named("a")]) => {
    const error = await run(graph, scenarios, { share: { queue }, store: ":memory:", ...options }).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof ScenarioError, String(error));
    return [error.code, error.path.join(".")];
  };
  assert.deepEqual(await code({ createCaller: () => undefined }), ["invalid-option", "createCaller"]);
  assert.deepEqual(await code({ models: { agent: scripted({}) } }), ["invalid-option", "models.agent"]);
  assert.deepEqual(await code({ requests: { perMinute: 6 } }), ["invalid-option", "requests.perMinute"]);
  await withEnvironment({ CRM_KEY: "k4-Zq81-mPw7Rt" }, async () => {
    const scenarios = [named("a", { says: ["It is k4-Zq81-mPw7Rt"] })];
    assert.deepEqual(await code({}, scenarios), ["invalid-option", "queue.scenarios.a"]);
    assert.deepEqual(await code({ variables: { key: "k4-Zq81-mPw7Rt" } }), ["invalid-option", "queue"]);
  });
});

test("a URL that is not a Redis's is refused without showing it", async () => {
  for (const url of ["http://me:geheim-77@host", "redis://", "", "geheim-77"])
    await assert.rejects(openQueue(url), (error: unknown) => {
      assert.ok(error instanceof ScenarioError);
      assert.deepEqual([error.code, /geheim/.test(`${error.message}${error.hint}`)], ["invalid-option", false]);
      return true;
    });
});

test("a run without a worker gets a warning, then ends with errors that say so", async () => {
  const clock = new TestClock();
  const warnings: string[] = [];
  const errors: string[] = [];
  const watch = watchQueue({
    queue: { getWorkersCount: async () => 0 },
    timers: clock,
    workerTimeoutMs: 60_000,
    onWarning: (warning) => void warnings.push(warning),
    isWaiting: () => errors.length === 0,
    failAll: ({ code, message }) => void errors.push(`${code}: ${message}`),
    check: async () => {},
  });
  for (let second = 0; second < 62; second += 2) {
    clock.advance(2_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  watch.stop();
  assert.deepEqual(warnings, ["No worker takes calls from the queue; start one with callweave worker"]);
  assert.deepEqual(errors, ["queue-failed: Cannot run a queued call: there was no worker for 60 s"]);
});

test("a Redis that stays away ends the calls of a run with an error", async () => {
  const clock = new TestClock();
  const errors: string[] = [];
  const watch = watchQueue({
    queue: { getWorkersCount: () => new Promise(() => {}) },
    timers: clock,
    workerTimeoutMs: 600_000,
    onWarning: () => {},
    isWaiting: () => errors.length === 0,
    failAll: ({ code }) => void errors.push(code),
    check: async () => {},
  });
  for (let second = 0; second < 62; second += 2) clock.advance(2_000);
  watch.stop();
  assert.deepEqual(errors, ["queue-unavailable"]);
});

test("connections that wait for an unreachable Redis are disconnected after a time limit", async () => {
  const clock = new TestClock();
  const calls: string[] = [];
  const connection = {
    close: () => {
      calls.push("close");
      return new Promise<void>(() => {});
    },
    disconnect: async () => void calls.push("disconnect"),
  };
  const { status } = await clock.advanceUntilDone(closeConnections([connection, connection], { timers: clock }), 500);
  assert.equal(status, "fulfilled");
  assert.deepEqual(calls, ["close", "close", "disconnect", "disconnect"]);
});

test("closing waits for running calls without a limit, and then for Redis within one", async () => {
  const clock = new TestClock();
  const calls: string[] = [];
  let endCall = () => {};
  const call = new Promise<void>((resolve) => {
    endCall = resolve;
  });
  const work = new Set<Promise<unknown>>([call]);
  const connection = {
    close: () => new Promise<void>(() => {}),
    disconnect: async () => void calls.push("disconnect"),
  };
  const closing = closeConnections([connection], { timers: clock, limitMs: 10_000, work });
  clock.advance(60_000);
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(calls, []);
  work.clear();
  endCall();
  const { status } = await clock.advanceUntilDone(closing, 2_500);
  assert.equal(status, "fulfilled");
  assert.deepEqual(calls, ["disconnect"]);
});
