import assert from "node:assert/strict";
import { test } from "node:test";
import { runOwnChecks } from "../../../src/call/judges/mod.ts";
import type { CheckFunction } from "../../../src/document/scenario/mod.ts";
import { line, toolCall } from "./_fixtures.ts";

const call: Parameters<CheckFunction>[0] = {
  scenario: "s",
  transcript: [line("assistant", "Hello.")],
  nodesVisited: ["greet"],
  toolsCalled: [toolCall("find", {})],
  variables: { k: "v" },
  turnCount: 1,
  endReason: "agent_ended",
  endDetail: undefined,
};

/** A check that plain JavaScript may write: its answer can be anything. */
const answering = (answer: unknown): CheckFunction => Reflect.apply.bind(null, () => answer, null, []);
const throwing =
  (error: unknown): CheckFunction =>
  () => {
    throw error;
  };

function run(judge: CheckFunction, options: Parameters<typeof runOwnChecks>[2] = {}, threshold?: number) {
  return runOwnChecks([{ name: "own", judge, ...(threshold === undefined ? {} : { threshold }) }], call, options);
}

test("runOwnChecks() passes true, undefined and scores at or above the threshold", async () => {
  const own = { kind: "check", expected: "own" };
  assert.deepEqual(await run(answering(true)), [{ ...own, passed: true, reason: "it returned true" }]);
  assert.deepEqual(await run(answering(false)), [{ ...own, passed: false, reason: "it returned false" }]);
  assert.deepEqual(await run(answering(undefined)), [{ ...own, passed: true, reason: "it did not throw" }]);
  for (const [score, passed] of [
    [0, false],
    [0.69, false],
    [0.7, true],
    [1, true],
  ])
    assert.deepEqual(await run(answering(score)), [
      { ...own, passed, reason: `it scores ${score}, needs 0.7`, score, threshold: 0.7 },
    ]);
});

test("runOwnChecks() uses the check's threshold, else the run's, else 0.7", async () => {
  const threshold = async (options: object, own?: number) => {
    const [result] = await run(answering(0.5), options, own);
    return [result?.threshold, result?.passed];
  };
  assert.deepEqual(await threshold({}), [0.7, false]);
  assert.deepEqual(await threshold({ threshold: 0.5 }), [0.5, true]);
  assert.deepEqual(await threshold({ threshold: 0.5 }, 0.6), [0.6, false]);
});

test("runOwnChecks() rejects return values that are neither a verdict nor a score", async () => {
  for (const [answer, shown] of [
    ["yes", '"yes"'],
    [null, "null"],
    [{}, "an object"],
    [1.01, "1.01"],
    [-0.01, "-0.01"],
    [Number.NaN, "NaN"],
  ] as const)
    await assert.rejects(run(answering(answer)), {
      name: "ScenarioError",
      code: "check-answer",
      path: ["checks", "own"],
      message: `Cannot use check "own": it returned ${shown}`,
    });
});

test("runOwnChecks() fails a check that throws, with the error's message", async () => {
  const reason = async (error: unknown) => {
    const [result] = await run(throwing(error));
    assert.deepEqual([result?.kind, result?.expected, result?.passed], ["check", "own", false]);
    return result?.reason;
  };
  assert.equal(await reason(new Error("no greeting")), "no greeting");
  assert.equal(await reason(new assert.AssertionError({ message: "1 is not 2" })), "1 is not 2");
  assert.equal(await reason({ message: "plain" }), "plain");
  assert.equal(await reason("words"), 'it threw "words"');
  assert.equal(await reason({ message: 7 }), "it threw an object");
  assert.equal(await reason(undefined), "it threw undefined");
});

test("runOwnChecks() throws for a bug in a check, because it says nothing about the call", async () => {
  for (const Mistake of [TypeError, ReferenceError, RangeError, SyntaxError, EvalError, URIError]) {
    const cause = new Mistake("oh");
    await assert.rejects(run(throwing(cause)), {
      name: "ScenarioError",
      code: "check-failed",
      path: ["checks", "own"],
      message: `Cannot use check "own": it threw ${cause.name}: oh`,
      cause,
    });
  }
  const unreadable = Object.defineProperty(new Error("x"), "message", {
    get() {
      throw new Error("no");
    },
  });
  await assert.rejects(run(throwing(unreadable)), {
    code: "check-failed",
    message: 'Cannot use check "own": an unreadable value was thrown',
  });
});

test("runOwnChecks() gives each check its own copy of the call", async () => {
  const before = structuredClone(call);
  const change: CheckFunction = (copy) => {
    assert.deepEqual(copy, before);
    for (const part of [copy.transcript[0], copy.toolsCalled[0], copy.variables, copy.nodesVisited, copy.transcript])
      for (const key of Object.keys(part ?? {})) Reflect.set(part ?? {}, key, "changed");
    Reflect.set(copy, "scenario", "changed");
  };
  const checks = ["one", "two"].map((name) => ({ name, judge: change }));
  const results = await runOwnChecks(checks, call);
  assert.deepEqual(
    results.map(({ expected, passed }) => [expected, passed]),
    [
      ["one", true],
      ["two", true],
    ],
  );
  assert.deepEqual(call, before);
});

test("runOwnChecks() stops waiting when the run is aborted, and aborts the check's signal", async () => {
  const controller = new AbortController();
  const reason = new Error("stopped");
  let told: unknown;
  const silent: CheckFunction = (_, { signal }) => {
    controller.abort(reason);
    told = signal.reason;
    return new Promise(() => {});
  };
  await assert.rejects(run(silent, { signal: controller.signal }), (error) => error === reason);
  assert.equal(told, reason);
});
