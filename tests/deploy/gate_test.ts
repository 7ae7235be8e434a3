import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { connect } from "../../api/connect.ts";
import { emit, flow, offline, openStore, run, scenario } from "../../mod.ts";
import { requireAcceptedLosses, requireRun } from "../../src/deploy/gate.ts";
import { folder } from "../surface/cli/_terminal.ts";

function desk(prompt: string) {
  return flow("desk")
    .conversation("greet", { prompt, next: ({ to }) => [to("bye", "Caller is done")] })
    .end("bye", { prompt: "Say goodbye." })
    .compile();
}
const graph = desk("Greet the caller.");
const models = { agent: offline() };

test("requireRun() finds a run of this graph in which every call passed, and refuses all others", async () => {
  await using store = await openStore(join(folder(), "results.db"));
  const gate = { code: "gate" };
  await assert.rejects(requireRun(graph, store), { ...gate, message: /no run of this version of the agent/ });

  const greets = scenario("greets", graph).says("Good morning").visits("greet");
  const refunds = scenario("refunds", graph).says("Good morning").includes("refund");
  const failed = await run(graph, [greets, refunds], { models, store });
  assert.deepEqual([failed.counts.pass, failed.counts.fail], [1, 1]);
  await assert.rejects(requireRun(graph, store), { ...gate, message: /has not passed: 1 failed/ });
  await assert.rejects(requireRun(graph, store, { run: failed.id }), { ...gate, message: /1 failed/ });

  const passed = await run(graph, [greets], { models, store });
  assert.equal((await requireRun(graph, store)).id, passed.id);
  assert.equal((await requireRun(graph, store, { run: passed.id.slice(0, 12) })).id, passed.id);

  const reworded = desk("Greet the caller in German.");
  await assert.rejects(requireRun(reworded, store), { ...gate, message: /no run of this version/ });
  await assert.rejects(requireRun(reworded, store, { run: passed.id }), { ...gate, message: /another version/ });
  await assert.rejects(requireRun(graph, store, { run: "unknown" }), { code: "unknown-run" });
});

test("requireRun() takes an older run that passed when a newer one of the same graph failed", async () => {
  await using store = await openStore(join(folder(), "results.db"));
  const passed = await run(graph, [scenario("greets", graph).says("Hi").visits("greet")], { models, store });
  await run(graph, [scenario("refunds", graph).says("Hi").includes("refund")], { models, store });
  assert.equal((await requireRun(graph, store)).id, passed.id);
});

test("requireRun() refuses a run with a deployed agent, whose graph may be another one", async () => {
  await using store = await openStore(join(folder(), "results.db"));
  const agent = connect.custom({ name: "desk", version: "7", agent: () => "Good morning" });
  const greets = scenario("greets").says("Hi").includes("Good morning");
  const live = await run(agent, [greets], { store, connection: { graph } });
  assert.equal(live.passed, true);
  const message = /its calls were held with the deployed agent "desk"/;
  await assert.rejects(requireRun(graph, store), { code: "gate", message });
  await assert.rejects(requireRun(graph, store, { run: live.id }), { code: "gate", message });
});

test("requireRun() refuses a run that has not finished", async () => {
  await using store = await openStore(join(folder(), "results.db"));
  const names = { agent: "offline", caller: "offline", judge: "offline" };
  const { id } = await store.startRun({ kind: "simulated", agent: "desk", graph, models: names, options: {} });
  await assert.rejects(requireRun(graph, store, { run: id }), { code: "gate", message: /has not finished/ });
});

test("requireAcceptedLosses() names each loss that the environment does not accept", () => {
  const wordy = { ...graph, snippets: { hours: "We open at nine." } };
  const { losses } = emit(wordy, "retell");
  assert.deepEqual(
    losses.map(({ code }) => code),
    ["snippet-unused"],
  );
  assert.throws(
    () => requireAcceptedLosses(losses, ["snippet"]),
    (error: { code: string; path: unknown; hint: string; issues: readonly unknown[] }) => {
      assert.deepEqual([error.code, error.path, error.issues.length], ["gate", ["snippets", "hours"], 1]);
      assert.match(error.hint, /acceptLosses: \["snippet-unused"\]/);
      return true;
    },
  );
  assert.doesNotThrow(() => requireAcceptedLosses(losses, ["snippet-unused"]));
  assert.doesNotThrow(() => requireAcceptedLosses([], []));
});
