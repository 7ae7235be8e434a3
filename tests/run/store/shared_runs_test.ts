import assert from "node:assert/strict";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { openStore } from "../../../src/run/store/mod.ts";
import { refuseOther } from "../../../src/run/store/shared_runs.ts";
import { GRAPH, inFolder, newResult, newRun } from "./_fixtures.ts";

const PLAN = { scenarios: ["a", "b"], repeat: 2 };
const shared = (index: number, changes = {}) =>
  newRun({ joinRun: "build-7", plan: PLAN, part: { index, total: 2 }, ...changes });

test("processes that start a run under one name at the same time get the same run", () =>
  inFolder(async (folder) => {
    const path = join(folder, "results.db");
    const stores = await Promise.all(Array.from({ length: 6 }, () => openStore(path)));
    const runs = await Promise.all(stores.map((store, index) => store.startRun(shared(1 + (index % 2)))));
    const [first] = runs;
    for (const run of runs) assert.deepEqual([run.id, run.joinRun, run.plan], [first?.id, "build-7", PLAN]);
    assert.equal((await stores[0]?.listRuns())?.length, 1);
    await Promise.all(stores.map((store) => store.close()));
  }));

test("a run in parts is finished when its last part is", async () => {
  await using store = await openStore(":memory:");
  const { id } = await store.startRun(shared(1));
  await store.addResult(id, newResult({ attempt: 1 }));
  await store.startRun(shared(2));
  assert.equal((await store.finishRun(id, { part: 1, finishedAt: "2026-01-02T00:00:00.000Z" })).finishedAt, null);
  await store.addResult(id, newResult({ attempt: 1, trial: 2 }));
  const finished = await store.finishRun(id, { part: 2, finishedAt: "2026-01-03T00:00:00.000Z" });
  assert.deepEqual([finished.finishedAt, finished.counts.pass], ["2026-01-03T00:00:00.000Z", 2]);
});

test("a run under a name that has another agent, plan or number of parts is refused and leaves nothing", async () => {
  await using store = await openStore(":memory:");
  const { id } = await store.startRun(shared(1));
  const other = { ...GRAPH, source_metadata: { general_prompt: "Be brief." } };
  for (const [changes, reason] of [
    [{ graph: other }, /another version of the agent/],
    [{ plan: { ...PLAN, repeat: 3 } }, /other repeat/],
    [{ plan: { ...PLAN, scenarios: ["a"] } }, /other scenarios/],
    [{ part: { index: 2, total: 3 } }, /split into 2 parts, this run into 3/],
  ] as const)
    await assert.rejects(store.startRun(shared(2, changes)), { code: "different-plan", message: reason });
  assert.deepEqual(
    (await store.listRuns()).map((run) => run.id),
    [id],
  );
  assert.equal((await store.finishRun(id, { part: 1 })).finishedAt, null, "the second part is still missing");
});

test("both parts of a run are written again when the database file is deleted", () =>
  inFolder(async (folder) => {
    const path = join(folder, "results", "results.db");
    await mkdir(join(folder, "results"));
    await using one = await openStore(path);
    await using two = await openStore(path);
    const { id } = await one.startRun(shared(1));
    await two.startRun(shared(2));
    await one.addResult(id, newResult({ attempt: 1 }));
    await two.addResult(id, newResult({ attempt: 1, trial: 2 }));
    for (const name of await readdir(join(folder, "results"))) await rm(join(folder, "results", name));
    await one.addResult(id, newResult({ attempt: 1, trial: 3 }));
    await one.finishRun(id);
    const finished = await two.finishRun(id);
    assert.notEqual(finished.finishedAt, null);
    assert.deepEqual((await two.showRun(id)).results.map(({ trial }) => trial).sort(), [1, 2, 3]);
  }));

test("a baseline names a run until it is set to another one or removed", async () => {
  await using store = await openStore(":memory:");
  const [first, second] = [await store.startRun(newRun()), await store.startRun(newRun())];
  await assert.rejects(store.setBaseline("main", first.id), {
    code: "partial-run",
    path: [first.id],
    message: `Cannot set a baseline: run ${first.id} is only a part: it has not finished`,
    hint: `Complete it: callweave run --resume ${first.id}, or name a run of all scenarios`,
  });
  for (const { id } of [first, second]) await store.finishRun(id);
  assert.equal((await store.setBaseline("main", first.id)).runId, first.id);
  assert.equal((await store.setBaseline("main", second.id)).runId, second.id);
  const release = await store.setBaseline("1.0", first.id);
  assert.deepEqual(
    (await store.listBaselines()).map(({ name }) => name),
    ["1.0", "main"],
  );
  assert.deepEqual(await store.findBaseline("1.0"), release);
  assert.equal(await store.findBaseline("2.0"), undefined);
  await assert.rejects(store.deleteRun(first.id), { code: "run-is-baseline", message: /baseline "1.0"/ });
  await store.removeBaseline("1.0");
  await store.deleteRun(first.id);
  await assert.rejects(store.removeBaseline("1.0"), { code: "unknown-baseline" });
  await assert.rejects(store.setBaseline("1.0", first.id), { code: "unknown-run" });
  const notText: string = JSON.parse("5");
  for (const name of [" ", notText])
    await assert.rejects(store.setBaseline(name, second.id), { code: "invalid-option" });
});

test("refuseOther() names the run, how it differs, and what to do instead", async () => {
  await using store = await openStore(":memory:");
  const stored = await store.startRun(shared(1));
  const run = { ...stored, plan: { ...PLAN, repeat: 3 } };
  assert.throws(() => refuseOther({ run, graph: GRAPH }, { run: stored, total: 2 }, "join"), {
    code: "different-plan",
    path: [stored.id],
    message: 'Cannot join run "build-7": it was started with other repeat',
    hint: "Run the same agent and scenarios with the same options, or join under another name",
  });
  assert.throws(() => refuseOther({ run, graph: GRAPH }, { run: stored, total: 2 }, "resume"), {
    message: `Cannot resume run "${stored.id}": it was started with other repeat`,
    hint: "Run the same agent and scenarios with the same options, or start a new run",
  });
});

test("refuseOther() tells kinds of runs and runs without a plan apart", async () => {
  await using store = await openStore(":memory:");
  const run = await store.startRun(shared(1));
  const { plan: _, ...planless } = run;
  const refused = (stored: typeof run) => () =>
    refuseOther({ run, graph: GRAPH }, { run: stored, total: null }, "join");
  assert.throws(refused({ ...run, kind: "replay" }), { message: /: it is replay, this run is simulated$/ });
  assert.throws(refused(planless), { message: /: it was stored without a plan, which is needed$/ });
  assert.doesNotThrow(refused(run));
});
