import assert from "node:assert/strict";
import { test } from "node:test";
import { openRun } from "../../../api/calls.ts";
import { connect } from "../../../api/connect.ts";
import { flow, openStore, type RunEvent, scenario, scripted } from "../../../mod.ts";

const HELLO = flow("hello").conversation("greet", { prompt: "Greet the caller." }).compile();
const hello = (name: string) => scenario(name, HELLO).says("Hi").visits("greet");
const agent = () => scripted({ respond: Array.from({ length: 12 }, () => "Hello") });

test("openRun() runs the scenarios that are asked for, in one stored run", async () => {
  const store = await openStore(":memory:");
  const events: RunEvent["kind"][] = [];
  const open = await openRun(HELLO, [hello("a"), hello("b"), scenario("c", HELLO).says("Hi").includes("never")], {
    store,
    models: { agent: agent() },
    repeat: { times: 2 },
    listeners: { onProgress: ({ kind }) => events.push(kind) },
  });
  const [c, a] = await Promise.all([open.runScenario("c"), open.runScenario("a")]);
  assert.deepEqual([a.summary.verdict, a.results.length, c.summary.verdict], ["pass", 2, "fail"]);
  const report = await open.finish();
  assert.deepEqual(
    report.scenarios.map((each) => each.scenario),
    ["a", "c"],
  );
  assert.deepEqual([report.passed, report.id], [false, open.id]);
  const { run, results } = await store.showRun(open.id);
  assert.notEqual(run.finishedAt, null);
  assert.deepEqual([...new Set(results.map((each) => each.scenario))].sort(), ["a", "c"]);
  assert.ok(!events.includes("run-start"));
  await store.close();
});

test("openRun() ends a scenario's calls as cancelled when its signal is aborted, and no others", async () => {
  const open = await openRun(HELLO, [hello("a"), hello("b")], { store: false, models: { agent: agent() } });
  const [a, b] = await Promise.all([open.runScenario("a", AbortSignal.abort()), open.runScenario("b")]);
  assert.deepEqual([a.summary.verdict, a.summary.counts.cancelled, b.summary.verdict], ["undecided", 1, "pass"]);
  assert.equal((await open.finish()).passed, false);
});

test("openRun() rejects a scenario that it was not opened with", async () => {
  const open = await openRun(HELLO, [hello("a")], { store: false });
  await assert.rejects(open.runScenario("b"), { code: "invalid-scenario" });
  await open.finish();
});

test("a connection can be tested scenario by scenario, like a graph", async () => {
  const agent = connect.custom({ name: "shop", version: "7", agent: () => "It arrives on Monday." });
  const ask = (name: string) => scenario(name).says("Where is it?");
  const scenarios = [ask("says the day").includes("Monday"), ask("says another").includes("Tuesday")];
  const open = await openRun(agent, scenarios, { store: false });
  const [right, wrong] = [await open.runScenario("says the day"), await open.runScenario("says another")];
  assert.deepEqual([right.summary.verdict, wrong.summary.verdict], ["pass", "fail"]);
  assert.equal(right.results[0]?.connection?.version, "7");
  const report = await open.finish();
  assert.equal(report.name, "shop");
  assert.equal(report.passed, false);
  const needy = ask("needs nodes").visits("bye");
  await assert.rejects(openRun(agent, [needy], { store: false }), /"shop" does not name the node/);
});
