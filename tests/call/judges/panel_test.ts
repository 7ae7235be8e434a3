import assert from "node:assert/strict";
import { test } from "node:test";
import { flow, openStore, parseScenarios, run, scenario, scripted } from "../../../mod.ts";
import { judgeMetrics } from "../../../src/call/judges/mod.ts";
import { finishedCall } from "./_fixtures.ts";

const { transcript } = finishedCall();

function verdict(number: number, score: number, reasoning = "because") {
  return { number, requirement: "must", evidence: [], reasoning, score, confidence: 0.8 };
}

const votesOf = (...scores: readonly number[]) =>
  scripted({ judge: scores.map((score) => ({ verdicts: [verdict(1, score, `says ${score}`)] })) });

test("a panel passes a criterion when more than half of its judges do, and keeps every vote", async () => {
  const panelOf = async (...scores: readonly number[]) => {
    const metrics = [{ criterion: "greets", threshold: 0.7, panel: scores.length }];
    const [found] = await judgeMetrics(metrics, transcript, { model: votesOf(...scores) });
    return found;
  };
  const passed = await panelOf(0.2, 0.9, 0.8);
  assert.deepEqual([passed?.passed, passed?.score, passed?.reasoning], [true, 0.8, "says 0.8"]);
  assert.deepEqual(
    passed?.votes?.map(({ score, passed, confidence, reasoning }) => [score, passed, confidence, reasoning]),
    [
      [0.2, false, 0.8, "says 0.2"],
      [0.9, true, 0.8, "says 0.9"],
      [0.8, true, 0.8, "says 0.8"],
    ],
  );
  assert.equal((await panelOf(0.2, 0.9, 0.3))?.passed, false);
  assert.equal((await panelOf(0.2, 0.9))?.passed, false, "a tie does not pass");
  assert.equal((await panelOf(0.9))?.votes, undefined);
});

test("criteria without a panel are judged once, beside those that have one", async () => {
  const model = scripted({
    judge: [{ verdicts: [verdict(1, 1), verdict(2, 0)] }, { verdicts: [verdict(1, 0)] }, { verdicts: [verdict(1, 0)] }],
  });
  const metrics = [
    { criterion: "one judge", threshold: 0.7 },
    { criterion: "three judges", threshold: 0.7, panel: 3 },
  ];
  const found = await judgeMetrics(metrics, transcript, { model });
  assert.deepEqual(
    found.map(({ criterion, passed, votes }) => [criterion, passed, votes?.length]),
    [
      ["one judge", true, undefined],
      ["three judges", false, 3],
    ],
  );
  assert.deepEqual(
    model.calls.map(({ input }) => JSON.stringify(input.criteria).match(/\w+ judges?/g)?.length),
    [2, 1, 1],
  );
});

test("a scenario asks for a panel in code and in JSON, and its votes are stored", async () => {
  const graph = flow("hello").end("bye", { prompt: "Say goodbye." }).compile();
  const written = scenario("ends", graph).says("Hello").judge("Is polite", { panel: 3 });
  const [read] = parseScenarios([{ name: "reads", says: ["Hi"], judge: { criterion: "Is polite", panel: 3 } }]);
  assert.ok(read);
  const always = Array.from({ length: 6 }, (_, index) => ({ verdicts: [verdict(1, index % 3 === 0 ? 0 : 1)] }));
  const models = { agent: scripted({ respond: ["Bye", "Bye"], judge: always }) };
  await using store = await openStore(":memory:");
  const report = await run(graph, [written, read], { models, store, limits: { concurrency: 1 } });
  assert.deepEqual(
    report.results.map(({ status, verdicts }) => [status, verdicts[0]?.votes?.map(({ passed }) => passed)]),
    Array.from({ length: 2 }, () => ["pass", [false, true, true]]),
  );
  assert.deepEqual((await store.showRun(report.id)).results, report.results);
  assert.throws(() => parseScenarios([{ name: "x", says: ["Hi"], judge: { criterion: "y", panel: 0 } }]), {
    code: "invalid-scenario",
  });
});
