import assert from "node:assert/strict";
import { test } from "node:test";
import { formatReport, formatResult } from "../../../api/reporters.ts";
import type { JudgingOptions } from "../../../api/types.ts";
import { estimate, openStore, type RunOptions, run, scenario, scripted } from "../../../mod.ts";
import { evaluate } from "../../../src/run/evaluation/mod.ts";
import { prepareRun } from "../../../src/run/runner/mod.ts";
import { planDocument } from "../../../src/run/runner/plan/plan_document.ts";
import { BILLING, BILLING_CALL, DESK } from "./_fixtures.ts";

const billing = { name: "bill", ...BILLING_CALL };
const right = (step: number, quote: string) => ({
  step,
  evidence: { role: "user", quote },
  reasoning: "it was met",
  right: true,
  should_have_taken: "",
});
const STEPS = [right(1, "about my bill"), right(2, "about my bill"), right(3, "Thanks")];
const GOOD = { steps: STEPS, reasoning: "On track.", score: 1, confidence: 1 };
const BAD = {
  ...GOOD,
  steps: STEPS.map((step) => (step.step === 3 ? { ...step, right: false, should_have_taken: "none" } : step)),
  score: 0.4,
};

test("evaluate() judges the path of a call by every form of judging.flow that turns it on", async () => {
  const options = { models: { agent: scripted(BILLING) }, store: false as const };
  const { results } = await run(DESK, [{ ...billing, visits: ["billing"] }], options);
  const judged = async (flow: boolean | object) => {
    const judge = scripted({ flow: [GOOD, GOOD, GOOD] });
    const report = await evaluate(results, { agent: DESK, models: { agent: judge }, judging: { flow } });
    return [report.passed, judge.calls.length];
  };
  assert.deepEqual(await judged(true), [true, 1]);
  assert.deepEqual(await judged({ panel: 3 }), [true, 3]);
  await assert.rejects(judged(false), { code: "invalid-option", path: ["judging"] });
});

const runCall = async (flow: readonly unknown[], options: RunOptions = {}) => {
  const judge = scripted({ flow });
  const models = { agent: scripted(BILLING), judge };
  return { report: await run(DESK, [billing], { models, store: false, judging: { flow: true }, ...options }), judge };
};

test("judgeFlow fails a call whose path was wrong, stores the verdict with its steps and shows it", async () => {
  await using store = await openStore(":memory:");
  const { report } = await runCall([BAD], { store });
  assert.equal(report.counts.fail, 1);
  const shown = await store.showRun(report.id);
  const [result] = shown.results;
  assert.deepEqual(result?.verdicts, report.results[0]?.verdicts);
  assert.deepEqual(result?.verdicts[0]?.steps?.[2], {
    turn: 2,
    node: "billing",
    took: "goodbye",
    right: false,
    instead: null,
    quote: "Thanks",
    reasoning: "it was met",
  });
  for (const text of [formatReport(report), ...(result ? [formatResult(result)] : [])]) {
    assert.match(text, /"The call took the right path" scores 0\.40/);
    assert.match(text.replaceAll(/\s+/g, " "), /should have stayed at "billing"/);
  }
});

test("judgeFlow is an expectation of its own, counts as a call of the judge, and can have a panel", async () => {
  const { report, judge } = await runCall([GOOD, BAD, GOOD], { judging: { flow: { panel: 3, threshold: 0.9 } } });
  assert.equal(report.passed, true);
  const [verdict] = report.results[0]?.verdicts ?? [];
  assert.deepEqual([verdict?.votes?.length, verdict?.threshold], [3, 0.9]);
  assert.equal(judge.calls.length, 3);
  assert.equal(report.results[0]?.usage.byRole?.judge.calls, 3);
});

test("a run without judgeFlow makes no such call, and a scenario that expects nothing is refused", async () => {
  await assert.rejects(runCall([GOOD], { judging: { flow: false } }), { code: "invalid-scenario" });
  const models = { agent: scripted(BILLING), judge: scripted({}) };
  const report = await run(DESK, [{ ...billing, ends: "agent_ended" as const }], { models, store: false });
  assert.deepEqual(report.results[0]?.verdicts, []);
});

test("estimate() counts the call that judges the path, once for each judge of the panel", () => {
  const greets = scenario("greets", DESK).says("My bill", "Thanks").ends("agent_ended");
  const judged = (judgeFlow: NonNullable<JudgingOptions["flow"]>) =>
    estimate(DESK, [greets], { judging: { flow: judgeFlow }, models: { agent: "openai/gpt-5-mini" } }).roles.judge;
  assert.equal(judged(false).calls.most, 0);
  assert.equal(judged(true).calls.most, 1);
  assert.equal(judged({ panel: 3 }).calls.most, 3);
  assert.ok(judged(true).inputTokens.most > 200);
});

test("a run with judgeFlow differs in its plan from one without, so that neither resumes the other", async () => {
  const plan = async (options: RunOptions) =>
    planDocument(await prepareRun(DESK, [{ ...billing, ends: "failed" }], options));
  assert.equal((await plan({ judging: { flow: false } })).judgeFlow, undefined);
  assert.notDeepEqual(await plan({ judging: { flow: true } }), await plan({ judging: { flow: { panel: 3 } } }));
});

test("judgeFlow refuses a threshold or panel that cannot be meant", async () => {
  for (const judgeFlow of [{ threshold: 0 }, { threshold: 2 }, { panel: 0 }, { panel: 1.5 }])
    await assert.rejects(runCall([], { judging: { flow: judgeFlow } }), { code: "invalid-option" });
});
