import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { offline, scripted } from "../../../src/call/models/mod.ts";
import { run } from "../../../src/run/runner/mod.ts";
import { openStore } from "../../../src/run/store/mod.ts";
import { newResultRecord } from "../../../src/run/store/rows/statements.ts";
import { SpoolFile } from "../../../src/run/store/spool/spool_file.ts";
import { inFolder, newResult } from "../store/_fixtures.ts";
import { counting, LINE, SCENARIOS, slotName } from "./_resumable.ts";

const NAMES = SCENARIOS.map(({ name }) => name);

test("run({ resume }) runs the trials that have not passed or failed, and reports all", async () => {
  await using store = await openStore(":memory:");
  const stopping = new AbortController();
  const first: string[] = [];
  const onProgress = () => {
    if (first.length === 7) stopping.abort(); // when the seventh call starts
  };
  const options = { store, repeat: { times: 2 }, signal: stopping.signal, listeners: { onProgress } };
  const aborted = await run(LINE, SCENARIOS, counting(first, options));
  assert.ok(aborted.counts.cancelled > 0);

  const second: string[] = [];
  const resumed = await run(
    LINE,
    SCENARIOS,
    counting(second, { store, repeat: { times: 2 }, share: { resume: aborted.id.slice(0, 15) } }),
  );
  assert.equal(resumed.id, aborted.id);
  assert.deepEqual(resumed.counts, { ...aborted.counts, pass: 10 });
  assert.equal(second.length, 10 - aborted.counts.pass);
  assert.equal(resumed.passed, true);
  assert.deepEqual([resumed.stored, resumed.storeError], [resumed.results.length, null]);
  const passed = resumed.results.filter(({ status }) => status === "pass");
  assert.deepEqual(
    passed.map(({ scenario, trial }) => `${scenario} ${trial}`),
    NAMES.flatMap((name) => [`${name} 1`, `${name} 2`]),
  );
  const stored = await store.showRun(aborted.id);
  assert.deepEqual(new Set(stored.results.map(({ id }) => id)), new Set(resumed.results.map(({ id }) => id)));
  assert.notEqual(stored.run.finishedAt, null);

  const third: string[] = [];
  const again = await run(
    LINE,
    SCENARIOS,
    counting(third, { store, repeat: { times: 2 }, share: { resume: aborted.id } }),
  );
  assert.deepEqual([third, again.results], [[], resumed.results]);
});

test("run({ resume }) refuses another agent, other scenarios and options that change the meaning", async () => {
  await using store = await openStore(":memory:");
  const { id: resume } = await run(LINE, SCENARIOS, { store });
  const other = { ...LINE, source_metadata: { begin_message: "Good morning!" } };
  const [first, ...rest] = SCENARIOS;
  assert.ok(first);
  for (const [refused, message] of [
    [() => run(other, SCENARIOS, { store, share: { resume } }), /another version of the agent/],
    [() => run(LINE, rest, { store, share: { resume } }), /other scenarios/],
    [() => run(LINE, [{ ...first, includes: ["Hello"] }, ...rest], { store, share: { resume } }), /other scenarios/],
    [() => run(LINE, SCENARIOS, { store, share: { resume }, repeat: { times: 2 } }), /other repeats/],
    [() => run(LINE, SCENARIOS, { store, share: { resume }, judging: { threshold: 0.9 } }), /other threshold/],
    [() => run(LINE, SCENARIOS, { store, share: { resume }, repeat: { variance: { judge: 2 } } }), /other variance/],
    [() => run(LINE, SCENARIOS, { store, share: { resume }, variables: { city: "Bern" } }), /other variables/],
    [() => run(LINE, SCENARIOS, { store, share: { resume }, limits: { maxTurns: 3 } }), /other limits/],
    [
      () => run(LINE, SCENARIOS, { store, share: { resume }, models: { agent: offline(), judge: scripted({}) } }),
      /other models/,
    ],
  ] as const)
    await assert.rejects(refused, { code: "different-plan", message });
  await assert.rejects(run(LINE, SCENARIOS, { store: false, share: { resume } }), {
    code: "invalid-option",
    path: ["store"],
  });
  await assert.rejects(run(LINE, SCENARIOS, { store, share: { resume: "zzz" } }), { code: "unknown-run" });
  const same = {
    repeat: { times: 1 },
    judging: { threshold: 0.7 },
    turn: "split",
    limits: { maxTurns: 20, concurrency: 2, failFast: true },
  } as const;
  const again = await run(LINE, SCENARIOS, { store, share: { resume }, ...same });
  assert.equal(again.id, resume, "options that are the default or only change the pace may differ");
});

test("run({ resume }) recovers the run's spooled results first", () =>
  inFolder(async (folder) => {
    const path = join(folder, "results.db");
    const spool = join(folder, "spool");
    await using store = await openStore(path, { spool });
    const { id } = await run(LINE, SCENARIOS.slice(0, 1), { store });
    const lost = newResultRecord(
      "0".repeat(20),
      id,
      newResult({ scenario: "a", trial: 1, attempt: 2, status: "pass" }),
    );
    await new SpoolFile([spool], path, () => "spooled").append([{ kind: "result", record: lost }], []);
    const started: string[] = [];
    const report = await run(LINE, SCENARIOS.slice(0, 1), counting(started, { store, share: { resume: id } }));
    assert.deepEqual([started, report.results.map(slotName)], [[], ["a 1", "a 1.2"]]);
  }));

test("shards with one name share a run, split its scenarios and finish it together", async () => {
  await using store = await openStore(":memory:");
  const shares: string[][] = [];
  for (const index of [1, 2, 3]) {
    const started: string[] = [];
    const shard = { index, total: 3 };
    const report = await run(
      LINE,
      SCENARIOS,
      counting(started, { store, repeat: { times: 2 }, share: { shard, joinRun: "build" } }),
    );
    shares.push(started);
    assert.deepEqual([report.passed, report.results.map(slotName)], [true, [...started].sort()]);
    assert.equal((await store.findRun(report.id)).finishedAt === null, index < 3);
  }
  assert.deepEqual(
    shares.map((started) => [...new Set(started.map((slot) => slot.slice(0, 1)))]),
    [["a", "d"], ["b", "e"], ["c"]],
  );
  const [stored, ...others] = await store.listRuns();
  assert.deepEqual([stored?.counts.pass, others.length], [10, 0]);
  const started: string[] = [];
  await run(
    LINE,
    SCENARIOS,
    counting(started, { store, repeat: { times: 2 }, share: { shard: { index: 2, total: 3 }, joinRun: "build" } }),
  );
  assert.deepEqual(started, [], "what the run has is not run again");
  await assert.rejects(
    run(LINE, SCENARIOS, { store, repeat: { times: 2 }, share: { shard: { index: 1, total: 2 }, joinRun: "build" } }),
    {
      code: "different-plan",
    },
  );
});

test("a shard without a shared run is a run of its own, and is resumed only as the same shard", async () => {
  await using store = await openStore(":memory:");
  const shard = { index: 2, total: 2 };
  const { id, results } = await run(LINE, SCENARIOS, { store, share: { shard } });
  assert.deepEqual(
    results.map(({ scenario }) => scenario),
    ["b", "d"],
  );
  assert.notEqual((await store.findRun(id)).finishedAt, null);
  assert.equal((await run(LINE, SCENARIOS, { store, share: { shard, resume: id } })).id, id);
  assert.notEqual((await store.findRun(id)).finishedAt, null);
  for (const other of [{}, { shard: { index: 1, total: 2 } }])
    await assert.rejects(run(LINE, SCENARIOS, { store, share: { resume: id, ...other } }), {
      code: "different-plan",
      message: /other shard/,
    });
});

test("shards that would have no scenario are refused on every machine", async () => {
  for (const index of [1, 6])
    await assert.rejects(run(LINE, SCENARIOS, { store: false, share: { shard: { index, total: 6 } } }), {
      code: "invalid-option",
      hint: "Use at most 5 shards",
    });
  for (const shard of [
    { index: 0, total: 2 },
    { index: 3, total: 2 },
    { index: 1, total: 1.5 },
  ])
    await assert.rejects(run(LINE, SCENARIOS, { store: false, share: { shard } }), { code: "invalid-option" });
});
