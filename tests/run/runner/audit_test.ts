import assert from "node:assert/strict";
import { test } from "node:test";
import { formatReport, reportOf } from "../../../api/reporters.ts";
import type { JudgingOptions } from "../../../api/types.ts";
import { estimate, flow, openStore, type RunOptions, run, scenario, scripted } from "../../../mod.ts";

const desk = flow("desk")
  .conversation("ask", { prompt: "Ask for the order number.", next: ({ to }) => [to("bye", "The order is known")] })
  .end("bye", { prompt: "Say goodbye." })
  .compile();

const STAY = { objectives_complete: false, transition_to: "" };
const played = scenario("asks", desk).persona("You are Ann. You want your order 4815.").includes("on its way").turns(1);

/** A desk whose caller says one of these words in each attempt. */
function callerSaying(words: readonly string[], rest: Parameters<typeof scripted>[0] = {}) {
  const caller = words.map((message) => ({ message, should_end: false }));
  const respond = words.flatMap(() => ["Which order?", "It is on its way."]);
  return { agent: scripted({ caller, respond, transition: words.map(() => STAY), ...rest }) };
}

const runCall = async (models: NonNullable<RunOptions["models"]>, options: RunOptions = {}) =>
  await run(desk, [played], { models, store: false, limits: { concurrency: 1 }, ...options });

test("a call whose caller invents an order number is invalid, run again and counted by itself", async () => {
  await using store = await openStore(":memory:");
  const report = await runCall(callerSaying(["It is 9962", "It is 4815"]), { store });
  assert.deepEqual(
    report.results.map(({ status, trial, attempt }) => [status, trial, attempt]),
    [
      ["invalid", 1, 1],
      ["pass", 1, 2],
    ],
  );
  const [invalid] = report.results;
  assert.equal(invalid?.audit?.findings[0]?.fact, "9962");
  assert.deepEqual(report.counts, { pass: 1, fail: 0, error: 0, imported: 0, cancelled: 0, invalid: 1 });
  assert.equal(report.scenarios[0]?.trials, 1);
  assert.equal(report.passed, true);
  assert.match(formatReport(report), /invented +The caller said "9962"/);
  assert.deepEqual(reportOf(await store.showRun(report.id)).scenarios, report.scenarios);
});

test("a caller that breaks its persona three times leaves the scenario undecided, and the run does not pass", async () => {
  const report = await runCall(callerSaying(["9961", "9962", "9963", "4815"]));
  assert.equal(report.counts.invalid, 3);
  assert.equal(report.scenarios[0]?.verdict, "undecided");
  assert.equal(report.passed, false);
});

test("an invalid call is not judged, whatever the agent said in it", async () => {
  const models = callerSaying(["9962", "4815"], { respond: ["Which?", "No idea.", "Which?", "It is on its way."] });
  const report = await runCall(models);
  assert.deepEqual(
    report.results.map(({ status, checks }) => [status, checks.length]),
    [
      ["invalid", 0],
      ["pass", 1],
    ],
  );
});

test("audit: judge also finds what has no form, and a caller that hung up too early", async () => {
  const clean = { invented_facts: [], goal: "the order", goal_decided: true, reasoning: "It was answered." };
  const flood = { ...clean, invented_facts: [{ quote: "after the flood", fact: "flood" }] };
  const models = callerSaying(["It broke after the flood", "It is 4815"], { audit: [flood, clean] });
  const report = await runCall(models, { judging: { audit: "judge" } });
  assert.deepEqual(
    report.results.map(({ status }) => status),
    ["invalid", "pass"],
  );
  assert.equal(report.usage.byRole?.judge.calls, 2);

  const caller = [
    { message: "Never mind.", should_end: true },
    { message: "It is 4815", should_end: true },
  ];
  const early = { ...clean, goal_decided: false, reasoning: "The agent had just asked." };
  const hungUp = await runCall(callerSaying(["", ""], { caller, audit: [early, clean] }), {
    judging: { audit: "judge" },
  });
  assert.equal(hungUp.results[0]?.audit?.findings[0]?.kind, "ended-early");
  assert.equal(hungUp.results[1]?.status, "pass");
});

test("a finding of the judge counts only if the caller said it, and it stands in no source", async () => {
  const claims = [
    { quote: "after the war", fact: "the war" },
    { quote: "It is 4815", fact: "4815" },
    { quote: "It is on its way", fact: "on its way" },
  ];
  const audit = [{ invented_facts: claims, goal: "g", goal_decided: false, reasoning: "r" }];
  const report = await runCall(callerSaying(["It is 4815"], { audit }), { judging: { audit: "judge" } });
  assert.equal(report.results[0]?.status, "pass"); // the agent ended the call by its turns, not the caller
});

test("audit: off runs no call again, and callers of one's own and scripted lines are not audited", async () => {
  const off = await runCall(callerSaying(["9962"]), { judging: { audit: "off" } });
  assert.equal(off.results[0]?.status, "pass");
  const says = scenario("says", desk).says("9962").includes("on its way");
  const scriptedCall = await run(desk, [says], { models: callerSaying(["9962"]), store: false });
  assert.equal(scriptedCall.results[0]?.status, "pass");
  const createCaller = () => ({ next: async () => ({ say: "9962" }) });
  assert.equal((await runCall(callerSaying(["9962"]), { createCaller })).results[0]?.status, "pass");
});

test("estimate() counts the judge's audit, and the attempts at a call in the worst case", () => {
  const models = { agent: "openai/gpt-5-mini" };
  const calls = (audit: NonNullable<JudgingOptions["audit"]>) =>
    estimate(desk, [played], { models, judging: { audit } });
  assert.equal(calls("judge").roles.judge.calls.most, calls("off").roles.judge.calls.most + 1);
  assert.equal(calls("facts").total.calls.worst, 3 * calls("off").total.calls.worst);
  assert.equal(calls("facts").total.calls.most, calls("off").total.calls.most);
});
