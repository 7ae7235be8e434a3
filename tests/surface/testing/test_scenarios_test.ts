import assert from "node:assert/strict";
import { test } from "node:test";
import { openRun } from "../../../api/calls.ts";
import { flow, scenario, scripted } from "../../../mod.ts";
import { testScenario, testScenarios } from "../../../src/surface/testing/test_scenarios.ts";
import { TestClock } from "../../test_clock.ts";

const HELLO = flow("hello").conversation("greet", { prompt: "Greet the caller." }).compile();

test("a scenario that does not pass fails its test with the expectation, the transcript and the run", async () => {
  const agent = scripted({ respond: ["Hello", "Fine"] });
  const cases = [scenario("secret", HELLO).says("How are you?").includes("sesame")];
  const run = await openRun(HELLO, cases, { store: false, models: { agent } });
  await assert.rejects(testScenario(run, "secret", { timeoutMs: 600_000, signal: undefined }), (error: Error) => {
    assert.equal(
      error.message,
      `Scenario "secret" did not pass
includes sesame
  found: the agent never said it

Transcript:
[greet]
  agent   Hello
  caller  How are you?
  agent   Fine

In run ${run.id}`,
    );
    assert.equal(error.stack, `ScenarioError: ${error.message}`);
    return true;
  });
  await run.finish();
});

test("a test that takes too long ends its calls and says so", async () => {
  const cases = [scenario("slow", HELLO).says("Hi").visits("greet")];
  const timers = new TestClock();
  const next = () => {
    timers.advance(1_500);
    return new Promise<never>(() => {});
  };
  const run = await openRun(HELLO, cases, { store: false, createCaller: () => ({ next }) });
  const failing = testScenario(run, "slow", { timeoutMs: 1_500, signal: undefined, timers });
  await assert.rejects(failing, { code: "scenario-failed", message: /\nThe test timed out after 1\.5 s\.\n/ });
  const { counts } = await run.finish();
  assert.equal(counts.cancelled, 1);
});

test("testScenarios() rejects wrong scenarios and options when it is called", () => {
  const cases = [scenario("a", HELLO).says("Hi").visits("greet")];
  assert.throws(() => testScenarios(HELLO, [...cases, ...cases]), { code: "duplicate-scenario" });
  assert.throws(() => testScenarios(HELLO, cases, { timeoutMs: 0 }), { code: "invalid-option" });
  assert.throws(() => testScenarios(HELLO, cases, { title: "" }), { code: "invalid-option" });
});
