import assert from "node:assert/strict";
import { test } from "node:test";
import { reportOf } from "../../../api/reporters.ts";
import { estimate, flow, openStore, type RunEvent, run, scenario, scripted } from "../../../mod.ts";

const hello = flow("hello")
  .conversation("greet", { prompt: "Greet the caller.", next: ({ to }) => [to("bye", "Caller says goodbye")] })
  .end("bye", { prompt: "Say goodbye." })
  .compile();

/** A call whose agent answers with the given words. */
const call = (name: string) => scenario(name, hello).says("Hi").includes("good");

/** An agent that answers one call after another with these words. */
function agentSaying(...answers: readonly string[]) {
  const opened = answers.flatMap((answer) => ["Hello", answer]);
  const stay = answers.map(() => ({ objectives_complete: false, transition_to: "" }));
  return { agent: scripted({ transition: stay, respond: opened }) };
}

const ONE_BY_ONE = { store: false, limits: { concurrency: 1 } } as const;

test("repeat runs every scenario several times, the first trial of each before the second of any", async () => {
  const started: string[] = [];
  const onProgress = (event: RunEvent) => {
    if (event.kind === "call-start") started.push(`${event.scenario}${event.trial}`);
  };
  const models = agentSaying("good", "good", "bad", "good", "good", "good");
  const scenarios = [call("a"), call("b"), call("c").repeat(1)];
  const report = await run(hello, scenarios, {
    ...ONE_BY_ONE,
    models,
    repeat: { times: 2 },
    listeners: { onProgress },
  });
  assert.deepEqual(started, ["a1", "b1", "c1", "a2", "b2"]);
  assert.deepEqual(
    report.results.map(({ scenario, trial, status }) => [scenario, trial, status]),
    [
      ["a", 1, "pass"],
      ["a", 2, "pass"],
      ["b", 1, "pass"],
      ["b", 2, "pass"],
      ["c", 1, "fail"],
    ],
  );
  assert.deepEqual(
    report.scenarios.map(({ scenario, planned, trials, passRate, verdict }) => [
      scenario,
      planned,
      trials,
      passRate,
      verdict,
    ]),
    [
      ["a", 2, 2, 1, "pass"],
      ["b", 2, 2, 1, "pass"],
      ["c", 1, 1, 0, "fail"],
    ],
  );
  assert.equal(report.passed, false);
});

test("a gate with a pass rate passes a scenario of which some calls fail, with its Wilson interval and pass^k", async () => {
  const models = agentSaying("good", "bad", "good", "good");
  const gate = { minPassRate: 0.75 };
  const options = { ...ONE_BY_ONE, models, repeat: { times: 4, gate, sequential: false } };
  const report = await run(hello, [call("a")], options);
  const [summary] = report.scenarios;
  assert.equal(report.passed, true);
  assert.deepEqual(summary?.counts, { ...summary?.counts, pass: 3, fail: 1 });
  assert.equal(summary?.verdict, "pass");
  assert.equal(summary?.reason, "3 of 4 calls passed; the gate needs 75 %");
  assert.deepEqual(
    summary?.passHat.map((share) => share.toFixed(2)),
    ["0.75", "0.50", "0.25", "0.00"],
  );
  assert.equal(summary?.interval?.low.toFixed(3), "0.301"); // Wilson's interval of 3 of 4
  assert.equal(summary?.interval?.high.toFixed(3), "0.954");
});

test("calls are omitted once a gate is decided, and run all the same with sequential: false", async () => {
  const runCall = async (gate: Parameters<ReturnType<typeof call>["gate"]>[0], words: readonly string[]) => {
    const models = agentSaying(...words);
    const report = await run(hello, [call("a").repeat(4).gate(gate)], { ...ONE_BY_ONE, models });
    return [report.results.map(({ status }) => status).join(" "), report.scenarios[0]?.verdict];
  };
  assert.deepEqual(await runCall({ passAll: true }, ["good", "bad"]), ["pass fail", "fail"]);
  assert.deepEqual(await runCall({ passAny: true }, ["bad", "good"]), ["fail pass", "pass"]);
  assert.deepEqual(await runCall({ minPassRate: 0.5 }, ["good", "bad", "good"]), ["pass fail pass", "pass"]);
  assert.deepEqual(await runCall({ minPassRate: 0.75 }, ["bad", "bad"]), ["fail fail", "fail"]);

  const models = agentSaying("bad", "good", "good");
  const options = { ...ONE_BY_ONE, models, repeat: { times: 3, gate: { passAny: true }, sequential: false } } as const;
  assert.equal((await run(hello, [call("a")], options)).results.length, 3);
});

test("without a gate all repeated calls are run, so that the pass rate is one of all of them", async () => {
  const models = agentSaying("bad", "good", "good");
  const report = await run(hello, [call("a")], { ...ONE_BY_ONE, models, repeat: { times: 3 } });
  assert.equal(report.scenarios[0]?.passRate, 2 / 3);
  assert.equal(report.scenarios[0]?.verdict, "fail");
});

test("failFast lets the calls of a scenario fail that its gate allows", async () => {
  const models = agentSaying("bad", "good", "good", "good");
  const options = {
    store: false,
    limits: { concurrency: 1, failFast: true },
    models,
    repeat: { times: 2, gate: { passAny: true } },
  } as const;
  const report = await run(hello, [call("a"), call("b")], options);
  assert.equal(report.passed, true);
  assert.equal(report.stopped, undefined);
});

test("the report of a stored run has the gates and verdicts of the run", async () => {
  await using store = await openStore(":memory:");
  const models = agentSaying("bad", "bad", "good", "good");
  const scenarios = [call("a").gate({ passAny: true }), call("b")];
  const report = await run(hello, scenarios, { models, store, repeat: { times: 2 }, limits: { concurrency: 1 } });
  const stored = reportOf(await store.showRun(report.id));
  assert.deepEqual(stored.scenarios, report.scenarios);
  assert.equal(stored.passed, report.passed);
});

test("estimate() counts repeated calls, and as few as can decide a gate", () => {
  const models = { agent: "openai/gpt-5-mini" };
  const once = estimate(hello, [call("a")], { models }).total.calls;
  const all = estimate(hello, [call("a")], { models, repeat: { times: 10 } }).total.calls;
  const decided = estimate(hello, [call("a").gate({ minPassRate: 0.8 })], { models, repeat: { times: 10 } }).total
    .calls;
  assert.deepEqual(all, { least: 10 * once.least, most: 10 * once.most, worst: 10 * once.worst });
  assert.deepEqual(decided, { ...all, least: 3 * once.least }); // three failures decide it
});

test("wrong repeats and gates are refused before the first call", async () => {
  const refused = { code: "invalid-option" };
  await assert.rejects(run(hello, [call("a")], { ...ONE_BY_ONE, repeat: { times: 0 } }), refused);
  await assert.rejects(
    run(hello, [call("a")], { ...ONE_BY_ONE, repeat: { times: Number.POSITIVE_INFINITY } }),
    refused,
  );
  await assert.rejects(run(hello, [call("a")], { ...ONE_BY_ONE, repeat: { gate: { minPassRate: 0 } } }), refused);
  assert.throws(() => call("a").gate({ minPassRate: 1.1 }), refused);
  assert.throws(() => call("a").repeat(1.5), { code: "invalid-scenario" });
});
