import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createRecordings, fileRecordings, parseGraph, run, scenario, scripted } from "../../../mod.ts";
import { createCallClock } from "../../../src/call/models/mod.ts";
import { TestClock } from "../../test_clock.ts";

const GRAPH = parseGraph({ entry_node_id: "talk", nodes: { talk: { state_prompt: "Talk." } } });
const QUICK = scenario("quick").says("Hi", "And?").answersWithin(1_000).toJSON();

/** Options of a run whose replies take the given times. */
function replying(...times: readonly number[]) {
  const time = new TestClock();
  const respond = times.map((ms) => () => {
    time.advance(ms);
    return "Hello";
  });
  const clock = { startCall: () => createCallClock(time) };
  return { models: { agent: scripted({ respond }) }, store: false, clock } as const;
}

test("run() measures each turn with the clock of the call, and fails answers that come too late", async () => {
  const [result] = (await run(GRAPH, [QUICK], replying(300, 1_000, 1_200))).results;
  assert.deepEqual(
    result?.latency?.map(({ turn, nodeId, firstWordMs }) => [turn, nodeId, firstWordMs]),
    [
      [0, "talk", 300],
      [1, "talk", 1_000],
      [2, "talk", 1_200],
    ],
  );
  assert.equal(result?.status, "fail");
  assert.deepEqual(result?.checks, [
    {
      kind: "latency",
      expected: "within 1000 ms",
      passed: false,
      reason: 'turn 2 at "talk" after 1200 ms (reply 1200 ms)',
    },
  ]);
});

test("run() does not measure turns that are replayed from recordings, and their expectation passes", async () => {
  const folder = await mkdtemp(join(tmpdir(), "callweave-latency-"));
  try {
    const store = fileRecordings(join(folder, "calls.json"));
    const recorded = await run(GRAPH, [QUICK], {
      ...replying(300, 400, 1_200),
      recordings: createRecordings(store, "record"),
    });
    assert.equal(recorded.results[0]?.latency?.length, 3);
    const replayed = await run(GRAPH, [QUICK], { ...replying(), recordings: createRecordings(store, "replay") });
    const [result] = replayed.results;
    assert.equal(result?.latency, undefined);
    assert.equal(result?.status, "pass");
    assert.match(result?.checks[0]?.reason ?? "", /^not measured/);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("run() keeps the turn in which a call timed out, without a first word", async () => {
  const time = new TestClock();
  const agent = {
    ...scripted({}),
    doGenerate: () => {
      setImmediate(() => time.advance(2_000));
      return new Promise<never>(() => {});
    },
  };
  const late = scenario("late").says("Hi").ends("turn_timeout").answersWithin(1_000);
  const report = await run(GRAPH, [late], {
    models: { agent },
    store: false,
    limits: { turnTimeoutMs: 2_000 },
    clock: { startCall: () => createCallClock(time) },
  });
  const [result] = report.results;
  assert.deepEqual(result?.latency, [{ turn: 0, nodeId: "talk", firstWordMs: null }]);
  assert.equal(result?.checks.find(({ kind }) => kind === "latency")?.passed, false);
});
